package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// startPatience is how long a process may take until it says where it listens.
const startPatience = 20 * time.Second

// process is a server of its own that told its address on its standard output.
type process struct {
	cmd *exec.Cmd
	url string
	// took is the time from its start to the line with its address.
	took time.Duration
	errs string // its standard error, a file
}

var address = regexp.MustCompile(`http://[0-9.]+:[0-9]+`)

// launch starts a program and waits until it prints a line with its address. env is added to this process's.
func launch(ctx context.Context, folder string, env []string, program string, args ...string) (*process, error) {
	name := filepath.Base(program)
	errs, err := os.CreateTemp(folder, name+"-*.log")
	if err != nil {
		return nil, err
	}
	defer errs.Close()                                                                //nolint:errcheck // the child holds its own
	p := &process{errs: errs.Name(), cmd: exec.CommandContext(ctx, program, args...)} //nolint:gosec // a program that was just built
	p.cmd.Dir, p.cmd.Stderr = folder, errs
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 5 * time.Second
	dieTogether(p.cmd)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	said := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if url := address.FindString(lines.Text()); url != "" {
				said <- url
				break
			}
		}
		for lines.Scan() { // else the process could block on a full pipe
		}
		close(said)
	}()
	patience := time.NewTimer(startPatience)
	defer patience.Stop()
	select {
	case url, ok := <-said:
		p.took = time.Since(begun)
		if p.url = url; ok {
			return p, nil
		}
	case <-patience.C:
	case <-ctx.Done():
	}
	p.stop()
	return nil, fmt.Errorf("%s did not say where it listens: %s", name, p.lastWords())
}

// stop ends the process, at first politely.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	kill := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	_ = p.cmd.Wait() // that it was ended by a signal is no fault
}

// lastWords are the end of what it wrote to its standard error.
func (p *process) lastWords() string {
	text, err := os.ReadFile(p.errs)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-2000):]))
}

// residentKB is how much of the process stands in memory.
func (p *process) residentKB() (float64, error) { return p.memory("VmRSS") }

// memory is a line of the process's status, in KB: VmHWM is the most that was ever resident (proc(5)).
func (p *process) memory(key string) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("read memory, which only Linux tells: %w", err)
	}
	for l := range strings.SplitSeq(string(text), "\n") {
		if rest, ok := strings.CutPrefix(l, key+":"); ok {
			return strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
		}
	}
	return 0, errors.New("the process has no resident memory: it has ended")
}

// cpuSeconds is the processor time that the process has used so far, its own and the system's for it.
func (p *process) cpuSeconds() (float64, error) {
	const hertz = 100 // USER_HZ, the same on every Linux (proc(5))
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("read processor time, which only Linux tells: %w", err)
	}
	_, rest, _ := strings.Cut(string(text), ") ") // behind the name; the state is the third field
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("the process has no processor time")
	}
	user, err := strconv.ParseFloat(fields[11], 64)
	system, err2 := strconv.ParseFloat(fields[12], 64)
	return (user + system) / hertz, errors.Join(err, err2)
}

// settledKB waits until resident memory stays within 1 % for a second and a half, and at most four seconds.
func (p *process) settledKB(ctx context.Context) (float64, error) {
	const every, still, most = 250 * time.Millisecond, 6, 16
	tick := time.NewTicker(every)
	defer tick.Stop()
	last, calm := 0.0, 0
	for range most {
		now, err := p.residentKB()
		if err != nil {
			return 0, err
		}
		if calm++; now > last*1.01 || now < last*0.99 {
			last, calm = now, 0
		}
		if calm == still {
			return now, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
	return last, nil
}

// goBuild builds a static, stripped binary, as make build does.
func goBuild(ctx context.Context, binary, from string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, from) //nolint:gosec // our own folders
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", from, err, out)
	}
	return nil
}
