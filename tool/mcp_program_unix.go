//go:build unix

package tool

import (
	"os"
	"os/exec"
	"syscall"
)

// group gives a program a process group of its own, so that what it starts can be ended with it.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGTERM) }

func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
