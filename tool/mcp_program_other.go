//go:build !unix

package tool

import (
	"os"
	"os/exec"
)

// group does nothing where there are no process groups: what a program starts is its own to end.
func group(*exec.Cmd) {}

func endGroup(p *os.Process) error { return p.Kill() }

func killGroup(p *os.Process) error { return p.Kill() }
