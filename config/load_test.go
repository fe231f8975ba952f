package config_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/steward-assistant/steward/config"
)

var update = flag.Bool("update", false, "write what is found into testdata and fielddocs.json")

const separator = "-- faults --\n"

func testEnv(name string) (string, bool) {
	v, ok := map[string]string{"SECRET": strings.Repeat("s3cret-", 6), "SHORT": "s3cret-", "SPACED": "two s3cret words"}[name]
	return v, ok
}

func testFiles(src string) fstest.MapFS {
	return fstest.MapFS{"steward.yaml": {Data: []byte(src)}, "openapi.json": {Data: []byte(`{"openapi":"3.1.0"}`)}, "key.txt": {Data: []byte("from-file\n")}, "note.txt": {Data: []byte("no key\n")}}
}

// TestFaults holds every fault of a file against what stands below it, a fault a line.
func TestFaults(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			src, want, _ := strings.Cut(string(b), separator)
			_, faults := config.Load(testFiles(src), "steward.yaml", testEnv)
			got := ""
			for _, f := range faults {
				got += f.String() + "\n"
			}
			if strings.Contains(got, "hunter2") || strings.Contains(got, "s3cret") {
				t.Errorf("a secret is told: %s", got)
			}
			if *update {
				if err := os.WriteFile(file, []byte(src+separator+got), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("faults\n%swant\n%s", got, want)
			}
		})
	}
}

func TestLoadMissingFile(t *testing.T) {
	t.Parallel()
	cfg, faults := config.Load(config.Dir(t.TempDir()), "steward.yaml", nil)
	if cfg != nil || faults.Error() != "steward.yaml: does not exist; steward init writes one, and --config (or STEWARD_CONFIG) names one that is elsewhere" {
		t.Errorf("%v, %v", cfg, faults)
	}
}

func TestDefaultsAndEnvironment(t *testing.T) {
	t.Parallel()
	src := `
product: {id: gym, name: {en: Harbour Row, he: שורת הנמל}, about: A gym.}
identity: {secret_env: SECRET, secret_file: key.txt, audience: steward, claims: {org: org_id}, roles: {owner: [read, send], staff: [read]}}
models: {providers: {anthropic: {key_env: KEY, key_file: key.txt, base_url: "https://file.example", base_url_env: BASE}}}
sources: {api: {openapi: openapi.json, base_url: "https://file.example", base_url_env: API}}
tools: {timeout: 1m30s}
locales: [en, he]
`
	env := map[string]string{"SECRET": strings.Repeat("e", 40), "BASE": "https://env.example", "STEWARD_MODEL": "other-model"}
	cfg, faults := config.Load(testFiles(src), "steward.yaml", func(k string) (string, bool) { v, ok := env[k]; return v, ok })
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	p := cfg.Models.Providers["anthropic"]
	got := fmt.Sprint(
		cfg.Identity.Secret.Reveal()[:3], p.Key.Reveal(), p.BaseURL, cfg.Sources["api"].BaseURL, cfg.Sources["api"].Authority,
		cfg.Models.Loop.Model, cfg.Models.Loop.OutputCap, cfg.Models.Small.Model, cfg.Turn.MaxRounds, cfg.Turn.IdleTimeout,
		cfg.Tools.Timeout, cfg.Tools.ResultLimit, cfg.Identity.Claim("org"), cfg.Identity.Claim("sub"), cfg.Identity.RolesWith("read"),
		cfg.Surfaces["app"].Persona.Name, cfg.Product.Name.In("he-IL"), cfg.Product.Name.In("fr", "en"), cfg.Where("tools.timeout"), cfg.Where("tools.parallel"))
	want := "eee" + "from-file" + " https://env.example" + " https://file.example" + " forward" +
		" other-model" + " 16384 claude-haiku-4-5 6 1m0s 1m30s 50000 org_id" + " sub" + " [owner staff]" + " Harbour Row" + " שורת הנמל" + " Harbour Row" + " steward.yaml:6:9 steward.yaml:6:1"
	if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if text := fmt.Sprintf("%v %+v %#v", cfg.Identity, p, cfg.Identity.Secret); strings.Contains(text, "eee") || strings.Contains(text, "from-file") {
		t.Errorf("a secret is printed: %s", text)
	}
	if cfg.Tools.Timeout.Std() != 90*time.Second {
		t.Error(cfg.Tools.Timeout)
	}
}

func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		src, _, _ := strings.Cut(string(b), separator)
		f.Add(src)
	}
	f.Add("a: &a [*a]\nb: {<<: *a}\n? [x]\n: y")
	f.Fuzz(func(t *testing.T, src string) {
		cfg, faults := config.Load(testFiles(src), "steward.yaml", testEnv)
		if cfg == nil && len(faults) == 0 {
			t.Error("neither a configuration nor a fault")
		}
		for _, fault := range faults {
			if fault.Message == "" || fault.File != "steward.yaml" || strings.Contains(fault.Message, "s3cret-s3cret") {
				t.Errorf("%+v", fault)
			}
		}
	})
}
