package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/steward-assistant/steward/config"
	"github.com/steward-assistant/steward/internal/check"
	"github.com/steward-assistant/steward/internal/scaffold"
)

type initCommand struct {
	Spec    string `help:"Your API's OpenAPI document, JSON or YAML." required:"" placeholder:"FILE"`
	Sitemap string `help:"Your sitemap.xml: a file or an address." placeholder:"FILE|URL" xor:"pages"`
	Pages   string `help:"In place of a site map: a list of your pages, a path a line with a title behind it." placeholder:"FILE|URL" xor:"pages"`
	BaseURL string `help:"Where your API is. Defaults to the document's first server." placeholder:"URL"`
	Out     string `help:"The file to write." default:"steward.yaml" placeholder:"FILE"`
	Force   bool   `help:"Write over a file that is there."`
}

// Run writes a first steward.yaml, checks it and says what comes next.
func (c *initCommand) Run(ctx context.Context, t *terminal) error {
	if _, err := os.Lstat(c.Out); err == nil && !c.Force {
		return fmt.Errorf("--out: %s is there already; say --force to write over it, or --out with another name", c.Out)
	}
	o := scaffold.Options{BaseURL: c.BaseURL}
	var err error
	if o.Document, err = (&config.Config{Files: config.Dir(".")}).ReadDocument(c.Spec); err != nil {
		return fmt.Errorf("--spec: %s: %w", c.Spec, err)
	}
	if o.DocumentPath, err = beside(c.Out, c.Spec); err != nil {
		return fmt.Errorf("--spec: %w", err)
	}
	if from := c.Sitemap + c.Pages; from != "" {
		o.PagesFrom = from
		if o.Pages, err = scaffold.ReadSiteMap(ctx, from); err != nil {
			return fmt.Errorf("%s: %w", map[bool]string{true: "--sitemap", false: "--pages"}[c.Sitemap != ""], err)
		}
	}
	draft, err := scaffold.Write(ctx, o)
	var faults config.Faults
	switch {
	case errors.As(err, &faults):
		for i := range faults {
			faults[i].File = c.Spec
		}
		return faults
	case err != nil:
		return fmt.Errorf("--spec: %s: %w", c.Spec, err)
	}
	if err := c.write(draft.File); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return c.tell(ctx, t, draft)
}

// beside names a file as seen from the folder of another.
func beside(out, file string) (string, error) {
	from, err := filepath.Abs(filepath.Dir(out))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(from, to); err == nil {
		to = rel // otherwise it is on another drive
	}
	return filepath.ToSlash(to), nil
}

// write makes the file; one that came up meanwhile is not written over either.
func (c *initCommand) write(text []byte) (err error) {
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if c.Force {
		how = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(c.Out, how, 0o644) //nolint:gosec // a file without secrets that a team reads, where its author wants it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.Write(text)
	return err
}

// tell checks what was written, as a person would next, and says how it goes on.
func (c *initCommand) tell(ctx context.Context, t *terminal, d *scaffold.Draft) error {
	report, err := check.Run(ctx, check.Options{
		Files: config.Dir(filepath.Dir(c.Out)), Name: filepath.Base(c.Out), Env: func(name string) (string, bool) {
			// The secret is the one thing that nobody can have set yet, and here no token is checked.
			if v, ok := t.env(name); ok && v != "" || name != d.SecretEnv {
				return v, ok
			}
			return strings.Repeat("-", 64), true
		},
	})
	if err != nil {
		return fmt.Errorf("check %s: %w", c.Out, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Wrote %s for %s.\n", c.Out, d)
	if len(d.Skipped) > 0 {
		fmt.Fprintf(&b, "Left out of its pages: %s.\n", strings.Join(d.Skipped, ", "))
	}
	if d.Guessed {
		fmt.Fprintf(&b, "The document does not say where the API is: %s was taken. Change sources.api.base_url, or set %s.\n", d.BaseURL, d.BaseURLEnv)
	}
	if len(report.Warnings) > 0 {
		at(report.Warnings, c.Out)
		fmt.Fprintf(&b, "Worth a look:\n%s\n", report.Warnings.Error())
	}
	if report.Failed() {
		at(report.Faults, c.Out)
		fmt.Fprintf(&b, "It has faults that only you can mend:\n%s\n", report.Faults.Error())
	}
	file := ""
	if c.Out != "steward.yaml" {
		file = " --config " + c.Out
	}
	fmt.Fprintf(&b, `
Next:
  1. Read it through. It says beside each block what it is for.
  2. export %s=$(openssl rand -base64 32)
     and give your server the same; the file says which claims to sign with it.
  3. steward check%s
  4. steward serve%s --addr 127.0.0.1:8080
     and have your server hand /v1/, /steward.js and /steward/ on to it.
  5. In your pages:
     %s
`, d.SecretEnv, file, file, strings.ReplaceAll(d.Script(), "\n", "\n     "))
	if _, err := fmt.Fprint(t.out, b.String()); err != nil {
		return fmt.Errorf("print the next steps: %w", err)
	}
	if report.Failed() {
		return errFaults
	}
	return nil
}
