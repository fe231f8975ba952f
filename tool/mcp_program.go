package tool

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// link makes what carries a session.
func (m *MCP) link(ctx context.Context) (*mcpLink, error) {
	if len(m.options.Server.Command) > 0 {
		return m.programLink(ctx)
	}
	return m.httpLink(ctx)
}

// programLink starts the server's program in a process group of its own, with no variable of ours but those that the
// host's file names.
func (m *MCP) programLink(ctx context.Context) (*mcpLink, error) {
	server := m.options.Server
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	//nolint:gosec // the operator's own file says what is started
	cmd := exec.CommandContext(life, server.Command[0], server.Command[1:]...)
	cmd.Env = []string{}
	for _, name := range sortedKeys(server.Environment) {
		cmd.Env = append(cmd.Env, name+"="+server.Environment[name].Reveal())
	}
	group(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = mcpGrace
	debug := &mcpLog{log: m.options.Log, source: m.options.Name}
	cmd.Stderr = debug.of("stderr")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		kill()
		return nil, err
	}
	// A pipe of our own is read to its end; that of exec is closed as soon as the program is gone, with what it still said.
	out, in, err := os.Pipe()
	if err != nil {
		kill()
		return nil, err
	}
	cmd.Stdout = in
	err = cmd.Start()
	_ = in.Close() // the program has its own
	if err != nil {
		kill()
		_ = out.Close() // nothing was read
		return nil, err
	}
	p := &mcpProgram{cmd: cmd, stdin: stdin, gone: make(chan struct{})}
	m.work.Go(func() {
		_ = cmd.Wait()             // how it ended is its own business
		_ = killGroup(cmd.Process) // what it left behind would hold its output open
		close(p.gone)
	})
	return &mcpLink{
		transport: &mcp.IOTransport{
			Reader: &mcpLines{from: out, lines: bufio.NewReaderSize(out, 64<<10), junk: debug.of("stdout")}, Writer: stdin, MaxLineLength: defaultMaxResponse,
		},
		stop: kill,
		wait: func() { p.end(kill); _ = out.Close() }, // twice is no harm
	}, nil
}

// mcpProgram is a program that was started.
type mcpProgram struct {
	cmd   *exec.Cmd
	stdin io.Closer
	gone  chan struct{}
}

// end lets the program end: by the end of its input, then by a signal, then by force; what it has started ends with it.
func (p *mcpProgram) end(kill func()) {
	_ = p.stdin.Close() // it may be closed already
	if !p.within(mcpGrace) {
		_ = endGroup(p.cmd.Process) // what is gone already needs no signal
		if !p.within(mcpGrace / 2) {
			kill()
			<-p.gone
		}
	}
	kill()
}

func (p *mcpProgram) within(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.gone:
		return true
	case <-timer.C:
		return false
	}
}

// mcpLines reads the lines of a program's output that may be messages, and passes over others: programs print greetings.
type mcpLines struct {
	from  io.Closer
	lines *bufio.Reader
	junk  io.Writer
	// inside says that the rest of a line that may be a message is to come.
	inside bool
}

// Read gives a part of one line that may be a message.
func (l *mcpLines) Read(p []byte) (int, error) {
	for !l.inside {
		first, err := l.lines.Peek(1)
		if err != nil {
			return 0, err
		}
		switch first[0] {
		case '{', '[':
			l.inside = true
		default:
			if err := l.skip(); err != nil {
				return 0, err
			}
		}
	}
	if len(p) == 0 {
		return 0, nil
	}
	n, err := l.lines.Read(p[:min(len(p), l.next())])
	if n > 0 && p[n-1] == '\n' {
		l.inside = false
	}
	return n, err
}

// next is how much of the buffer is of this line; at least one byte.
func (l *mcpLines) next() int {
	buffered, _ := l.lines.Peek(max(1, l.lines.Buffered())) // what is wrong is told by the read
	if i := bytes.IndexByte(buffered, '\n'); i >= 0 {
		return i + 1
	}
	return max(1, len(buffered))
}

// skip passes over one line, however long it is.
func (l *mcpLines) skip() error {
	for {
		part, err := l.lines.ReadSlice('\n')
		_, _ = l.junk.Write(part) // a log never fails
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// Close ends the reading.
func (l *mcpLines) Close() error { return l.from.Close() }

// mcpLog writes what a program says into the operator's log at the level debug, line by line and cut.
type mcpLog struct {
	log    *slog.Logger
	source string
}

const maxMCPLogLine = 300

func (l *mcpLog) of(stream string) io.Writer { return &mcpLogLines{mcpLog: l, stream: stream} }

type mcpLogLines struct {
	*mcpLog
	stream string
	mu     sync.Mutex
	line   strings.Builder
}

// Write takes any part of a line.
func (l *mcpLogLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for part := range bytes.Lines(p) {
		if room := 4*maxMCPLogLine - l.line.Len(); room > 0 {
			l.line.Write(part[:min(len(part), room)])
		}
		if part[len(part)-1] == '\n' {
			if text := strings.TrimSpace(Clean(l.line.String())); text != "" {
				l.log.Debug("an MCP server says", slog.String("source", l.source), slog.String("stream", l.stream), slog.String("line", cutText(text, maxMCPLogLine)))
			}
			l.line.Reset()
		}
	}
	return len(p), nil
}
