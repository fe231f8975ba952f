// Package check finds everything that is wrong with a host's file before a start would, and says what the assistant
// would be made of: which tools each role gets, which writes are not offered, and what survives a crash.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/guide"
	"github.com/steward-assistant/steward/internal/page"
	"github.com/steward-assistant/steward/model"
	"github.com/steward-assistant/steward/principal"
	"github.com/steward-assistant/steward/tool"
)

// Options say what is checked.
type Options struct {
	// Files and Name are the host's file, as [config.Load] takes them.
	Files fs.FS
	Name  string
	// Env looks a variable up; nil: none is set.
	Env func(string) (string, bool)
	// All describes long lists whole; else they are cut.
	All bool
}

// Report is what a check found.
type Report struct {
	// Faults are what a start would refuse, and what would never work.
	Faults config.Faults
	// Warnings are what works and is worth a look, as a language that a text lacks.
	Warnings config.Faults
	// Lines describe what the file makes; empty where it could not be read.
	Lines []string
}

// Failed reports whether there are faults; a command that checks then exits with 1.
func (r Report) Failed() bool { return len(r.Faults) > 0 }

// Run checks a file, its documents, roles and pages. An error is the end of ctx or a fault of ours; what is wrong with
// the file is in the report.
func Run(ctx context.Context, o Options) (Report, error) {
	cfg, faults := config.Load(o.Files, o.Name, o.Env)
	r := Report{Faults: faults}
	if cfg == nil {
		return r, nil
	}
	can := openModels(cfg, &r)
	registry, err := open(ctx, cfg, can, &r)
	if err != nil {
		return r, err
	}
	if registry != nil {
		defer func() { _ = registry.Close() }() // a server that was only looked at
		c := &checker{cfg: cfg, registry: registry, report: &r, guide: guide.New(guide.FromConfig(cfg, page.NewIndex(cfg)))}
		c.actions()
		c.entities()
		c.languages()
		c.models()
		c.addresses()
		c.weight()
		r.Lines = describe(cfg, registry, can, o.All)
	}
	r.Faults, r.Warnings = r.Faults.Sort(), r.Warnings.Sort()
	return r, nil
}

func open(ctx context.Context, cfg *config.Config, can model.Capabilities, r *Report) (*tool.Registry, error) {
	var found config.Faults
	signer, err := tool.OpenSigner(cfg)
	if errors.As(err, &found) {
		r.Faults = append(r.Faults, found...)
		if signer, err = tool.GenerateSigner(cfg.Statement.Issuer); err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	// An address that is missing is a fault by itself; the document can be read without it, and its faults found too.
	// So is one that is none.
	for name, source := range cfg.Sources {
		told := slices.ContainsFunc(r.Faults, func(f config.Fault) bool {
			return strings.HasPrefix(f.Path, config.Path("sources", name)+".base_url")
		})
		if source.MCP == nil && (source.BaseURL == "" || told) {
			source.BaseURL = unsetAddress
			cfg.Sources[name] = source
		}
	}
	own, err := page.NewSource(cfg, page.NewIndex(cfg))
	if err != nil {
		return nil, err
	}
	strict := tool.StrictLimits{Tools: can.MaxStrictTools, Optional: can.MaxStrictOptional, Unions: can.MaxStrictUnions}
	registry, err := tool.Open(ctx, cfg, tool.OpenOptions{Signer: signer, Strict: strict, MaxTools: can.MaxTools}, own)
	if errors.As(err, &found) {
		// A source that has a fault already is named twice otherwise: once by its setting, once by what it cannot do.
		for _, f := range found {
			if !slices.ContainsFunc(r.Faults, func(have config.Fault) bool { return have.Path == f.Path }) {
				r.Faults = append(r.Faults, f)
			}
		}
		err = nil
	}
	return registry, err
}

// checker holds what one file says against what its documents say.
type checker struct {
	cfg      *config.Config
	registry *tool.Registry
	guide    *guide.Guide
	report   *Report
}

func (c *checker) fault(path, format string, args ...any) {
	c.report.Faults = append(c.report.Faults, c.cfg.Fault(path, fmt.Sprintf(format, args...)))
}

func (c *checker) warn(path, format string, args ...any) {
	c.report.Warnings = append(c.report.Warnings, c.cfg.Fault(path, fmt.Sprintf(format, args...)))
}

// WriteTo prints the report: a fault a line as "file:line:column: path: message", then warnings, then what the file makes.
func (r Report) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for _, f := range r.Faults {
		fmt.Fprintln(&b, f)
	}
	for _, f := range r.Warnings {
		fmt.Fprintf(&b, "%s (warning)\n", f)
	}
	for _, l := range r.Lines {
		fmt.Fprintln(&b, l)
	}
	switch n := len(r.Faults); n {
	case 0:
		fmt.Fprintln(&b, "No faults.")
	case 1:
		fmt.Fprintln(&b, "1 fault.")
	default:
		fmt.Fprintf(&b, "%d faults.\n", n)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// asker is a member with one role and, perhaps, flags.
func asker(role string, flags ...string) tool.Asker {
	return tool.Asker{Principal: principal.Principal{Member: "check", Org: "check", Roles: []string{role}, Features: flags}}
}
