package main

import (
	"fmt"
	"os/exec"
	"syscall"
)

// dieTogether makes a child end with this process, however that ends.
func dieTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// onDisk refuses a folder in memory, where a commit costs nothing.
func onDisk(folder string) error {
	const tmpfs = 0x01021994 // TMPFS_MAGIC of linux/magic.h
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return fmt.Errorf("look at the disk of %q: %w", folder, err)
	}
	if fs.Type == tmpfs {
		return fmt.Errorf("%q is in memory: the work tree must be on a disk", folder)
	}
	return nil
}
