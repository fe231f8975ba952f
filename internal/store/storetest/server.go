package storetest

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

var shared server

// errNoPostgres: there is nothing to run.
var errNoPostgres = errors.New("no Postgres: install Debian's postgresql, put initdb and postgres on PATH, or set STEWARD_TEST_POSTGRES_URL")

// server is the Postgres of this test binary.
type server struct {
	owned bool // Main will stop it
	once  sync.Once
	base  *url.URL
	err   error
	cmd   *exec.Cmd
	leash io.Closer // the server ends when this is closed, also by this process's death
	eof   chan struct{}
}

func (s *server) newDatabase(tb testing.TB) string {
	tb.Helper()
	s.once.Do(func() { s.base, s.err = s.start() })
	if errors.Is(s.err, errNoPostgres) && os.Getenv("CI") != "true" {
		tb.Skip(s.err)
	}
	if s.err != nil {
		tb.Fatalf("start Postgres: %v", s.err)
	}
	name := "steward_" + strings.ToLower(rand.Text())
	s.admin(tb, "CREATE DATABASE "+name)
	tb.Cleanup(func() { s.admin(tb, "DROP DATABASE "+name+" WITH (FORCE)") })
	own := *s.base
	own.Path = "/" + name
	return own.String()
}

func (s *server) admin(tb testing.TB, statement string) {
	tb.Helper()
	conn, err := pgx.Connect(background(), s.base.String())
	if err != nil {
		tb.Fatalf("connect to Postgres: %v", err)
	}
	if _, err := conn.Exec(background(), statement); err != nil {
		tb.Errorf("%s: %v", statement, err)
	}
	if err := conn.Close(background()); err != nil {
		tb.Errorf("close connection: %v", err)
	}
}

func (s *server) start() (*url.URL, error) {
	if given := os.Getenv("STEWARD_TEST_POSTGRES_URL"); given != "" {
		u, err := url.Parse(given)
		if err != nil {
			return nil, errors.New("STEWARD_TEST_POSTGRES_URL is not a URL")
		}
		return u, nil
	}
	if !s.owned {
		return nil, errors.New("the package needs: func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }")
	}
	bin, err := findBinaries()
	if err != nil {
		return nil, err
	}
	attr, owner, err := unprivileged()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "steward-pg-")
	if err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	if owner != nil {
		if err := os.Chown(dir, int(owner.Uid), int(owner.Gid)); err != nil {
			return nil, fmt.Errorf("give folder to the server's user: %w", err)
		}
	}
	data := filepath.Join(dir, "data")
	initdb := exec.CommandContext(background(), filepath.Join(bin, "initdb"), "-D", data, "-U", "steward", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr, initdb.Dir = attr, dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	// The shell waits for its input to end, which happens even when this process is killed.
	s.cmd = exec.CommandContext(background(), "sh", "-c", `"$@" & read -r _; kill -INT $!; wait $!; rm -rf "$0"`, dir,
		filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-F",
		"-c", "listen_addresses=", "-c", "max_connections=300", "-c", "shared_buffers=32MB")
	s.cmd.SysProcAttr, s.cmd.Dir = attr, dir
	leash, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start postgres: %w", err)
	}
	s.leash = leash
	if err := s.awaitReady(stderr); err != nil {
		return nil, err
	}
	return &url.URL{Scheme: "postgres", User: url.User("steward"), Path: "/postgres", RawQuery: url.Values{"host": {dir}}.Encode()}, nil
}

// awaitReady returns when the server's log says that it accepts connections, and reads on to keep the pipe empty.
func (s *server) awaitReady(log io.Reader) error {
	ready := make(chan bool, 1)
	s.eof = make(chan struct{})
	var said []string
	go func() {
		defer close(s.eof)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			said = append(said, lines.Text())
			if strings.Contains(lines.Text(), "ready to accept connections") {
				ready <- true
				_, _ = io.Copy(io.Discard, log) // the pipe's end is the server's
				return
			}
		}
		ready <- false
	}()
	if !<-ready {
		return fmt.Errorf("postgres ended: %s", strings.Join(said, "\n"))
	}
	return nil
}

func (s *server) stop() {
	if s.leash == nil {
		return
	}
	_ = s.leash.Close() // ends the shell's read
	<-s.eof
	_ = s.cmd.Wait() // the shell's status says nothing of use
}

// findBinaries returns the folder of initdb and postgres, of the newest version when Debian has several.
func findBinaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			path = resolved
		}
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errNoPostgres
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path)))) // 0 for what is not a version
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

// unprivileged gives the attributes to run as another user when this process is root, which Postgres refuses.
func unprivileged() (*syscall.SysProcAttr, *syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr != nil || gidErr != nil {
			continue
		}
		cred := &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return &syscall.SysProcAttr{Credential: cred}, cred, nil
	}
	return nil, nil, errors.New("postgres does not run as root, and there is no user postgres or nobody to run it as")
}
