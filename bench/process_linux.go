package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
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

// busy is the processor time that the machine has spent at work since its boot, and that of this process and of its
// children that have ended; in seconds.
func busy() (machine, own float64, err error) {
	const hertz = 100 // USER_HZ, the same on every Linux (proc(5))
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	for i, f := range strings.Fields(first) {
		const idle, waiting, guest = 4, 5, 9 // what guests use stands in user time already
		n, err := strconv.ParseFloat(f, 64)
		if err == nil && i != idle && i != waiting && i < guest {
			machine += n / hertz
		}
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err != nil {
			return 0, 0, err
		}
		own += float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
	}
	return machine, own, nil
}
