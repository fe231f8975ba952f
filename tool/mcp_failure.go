package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	errMCPTooMany  = errors.New("too many tools")
	errMCPElse     = errors.New("another address than the source's")
	errMCPTooLarge = errors.New("an answer is too large")
)

// mcpStatusError is an HTTP status that is no answer of the protocol.
type mcpStatusError int

// Error names it.
func (s mcpStatusError) Error() string { return fmt.Sprintf("HTTP %d", int(s)) }

// failureOf says what a server did instead of answering, in our own words and without anything that it said, an address
// or a key: it goes on after "the server".
func failureOf(err error, timeout time.Duration) string {
	if resting, ok := errors.AsType[*mcpRestError](err); ok {
		return fmt.Sprintf("%s a moment ago, and is tried again with a call in %s", failureOf(resting.err, timeout), resting.wait.Round(time.Second)+time.Second)
	}
	if status, ok := errors.AsType[mcpStatusError](err); ok {
		if status >= 300 && status < 400 {
			return fmt.Sprintf("answered with a redirect (HTTP %d), which is not followed", int(status))
		}
		return fmt.Sprintf("answered HTTP %d", int(status))
	}
	if protocolError(err) != nil {
		return "refused to begin"
	}
	if request := silent(err); request != "" {
		return fmt.Sprintf("did not answer the request %s within %s", request, timeout)
	}
	switch {
	case errors.Is(err, errTimeout) || errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("did not answer within %s", timeout)
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return "cannot be started: there is no such program"
	case errors.Is(err, fs.ErrPermission):
		return "cannot be started: this process may not run that program"
	case errors.Is(err, exec.ErrDot):
		return "cannot be started: a program of the current folder is written ./program"
	case errors.Is(err, errMCPTooMany):
		return fmt.Sprintf("lists more than %d tools", maxMCPTools)
	case errors.Is(err, errMCPTooLarge):
		return fmt.Sprintf("answered more than %d bytes", defaultMaxResponse)
	case errors.Is(err, errMCPClosed):
		return "is closed, because this assistant is ending"
	case ends(err) || errors.Is(err, errMCPEnded):
		return "ended before it answered, or answered something that is not of its protocol"
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return "could not be reached"
	}
	return "answered something that is not of its protocol"
}

// breaks reports whether a call that failed so leaves a connection of no use: not where the server refused, could not be
// reached or took too long.
func breaks(err error) bool {
	_, status := errors.AsType[mcpStatusError](err)
	_, unreached := errors.AsType[*url.Error](err)
	return !status && !unreached && protocolError(err) == nil && !errors.Is(err, errTimeout)
}

// ends reports whether an error says that the connection is over.
func ends(err error) bool {
	return errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, io.ErrClosedPipe) || errors.Is(err, fs.ErrClosed) || errors.Is(err, syscall.EPIPE)
}

// sdkErrors are errors that the SDK makes itself, in the form of those of a server.
var sdkErrors = map[int64]string{
	-32700: "parse error", -32001: "unknown error", -32003: "client is closing", -32004: "server is closing", -32005: "rejected by transport",
}

// protocolError is the error of the protocol with which a server answered; nil: it did not.
func protocolError(err error) *jsonrpc.Error {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || sdkErrors[e.Code] == e.Message {
		return nil
	}
	return e
}

// refusedBy is the result where a server answered a call with an error of the protocol.
func refusedBy(err error) (Result, bool) {
	e := protocolError(err)
	if e == nil {
		return Result{}, false
	}
	r := Result{
		Status: StatusUnreadable, Code: CodeUnreadable, Said: cutText(strings.TrimSpace(e.Message), maxSaid),
		Reason: "The server of this tool failed to answer.",
	}
	switch e.Code {
	case jsonrpc.CodeInvalidParams, jsonrpc.CodeInvalidRequest:
		r.Code, r.Reason = CodeRefusedByHost, "The server of this tool refused the arguments."
	case jsonrpc.CodeMethodNotFound:
		r.Status, r.Code, r.Reason = StatusNotAvailable, CodeNotAvailable, "The server has no such tool."
	}
	return r, true
}
