package steward_test

import (
	"encoding/json"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/steward-assistant/steward"

// floors is the house: a package imports only packages of lower floors.
var floors = map[string]int{
	"cmd/steward": 9, "cmd/scripted-model": 9,
	"":             8,
	"internal/api": 7, "internal/check": 7, "internal/scaffold": 7,
	"internal/turn":  6,
	"internal/guide": 5,
	"internal/agui":  4, "internal/approval": 4,
	"internal/contract": 3, "internal/page": 3, "internal/conversation": 3,
	"tool": 2, "model": 2, "internal/identity": 2,
	"config": 1, "internal/feed": 1,
	"web": 0, "principal": 0, "internal/event": 0, "internal/words": 0, "internal/store": 0, "internal/id": 0,
	// Instruments of tests and generators stand beside what they serve and are imported by tests alone.
	"model/modeltest": 2, "internal/store/storetest": 1, "internal/feed/feedtest": 2, "internal/event/gen": 9,
}

// outside are packages that build on the house and are no part of it.
var outside = []string{"examples/", "bench", "test/"}

type listed struct {
	ImportPath string
	Imports    []string
	Doc        string
	Standard   bool
	Module     *struct{ Path string }
}

func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Doc,Standard,Module"}, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if d.Decode(&p) != nil {
			return all
		}
		all = append(all, p)
	}
}

func TestFloors(t *testing.T) {
	for _, p := range list(t, "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if p.Doc == "" {
			t.Errorf("%s has no package comment", name)
		}
		if slices.ContainsFunc(outside, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		floor, ok := floors[name]
		if !ok {
			t.Errorf("%q stands on no floor: give it one here and in ARCHITECTURE.md", name)
			continue
		}
		for _, i := range p.Imports {
			if !strings.HasPrefix(i, module) {
				if i == "database/sql" && name != "internal/store" {
					t.Errorf("%s imports database/sql: only internal/store opens a database", name)
				}
				if i == "net/http" && name == "internal/turn" {
					t.Errorf("the engine imports net/http: transport belongs in internal/api")
				}
				continue
			}
			lower := strings.TrimPrefix(strings.TrimPrefix(i, module), "/")
			if strings.HasPrefix(lower, "examples/") && name == "cmd/steward" {
				continue // the demo's hosts are linked there and nowhere else
			}
			if at, ok := floors[lower]; !ok || at >= floor {
				t.Errorf("%q (floor %d) imports %q (floor %d)", name, floor, lower, at)
			}
		}
	}
}

// TestModules holds the list of modules that the program links, so that one more is a decision.
func TestModules(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t, "-deps", "./cmd/steward") {
		if p.Module != nil && p.Module.Path != module {
			seen[p.Module.Path] = true
		}
	}
	var got []string
	for m := range seen {
		got = append(got, m)
	}
	slices.Sort(got)
	b, err := os.ReadFile("testdata/modules.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(b))
	for _, m := range got {
		if !slices.Contains(want, m) {
			t.Errorf("the program links %s, which testdata/modules.txt does not list", m)
		}
	}
	for _, m := range want {
		if !slices.Contains(got, m) {
			t.Errorf("testdata/modules.txt lists %s, which the program does not link", m)
		}
	}
}

// TestPublicSignatures holds that nobody outside needs an internal type to call us.
func TestPublicSignatures(t *testing.T) {
	for _, dir := range []string{".", "tool", "model", "config", "principal"} {
		files := token.NewFileSet()
		var parsed []*ast.File
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		internal := map[string]bool{}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			f, err := parser.ParseFile(files, filepath.Join(dir, e.Name()), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				if path := strings.Trim(i.Path.Value, `"`); strings.HasPrefix(path, module+"/internal/") {
					internal[path[strings.LastIndex(path, "/")+1:]] = true
				}
			}
			parsed = append(parsed, f)
		}
		pkg, err := doc.NewFromFiles(files, parsed, module+"/"+dir)
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				if field, ok := n.(*ast.Field); ok && len(field.Names) > 0 && !field.Names[0].IsExported() && strings.HasPrefix(name, "type ") {
					return false
				}
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && internal[x.Name] {
						t.Errorf("%s: %s names %s.%s", dir, name, x.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
		for _, f := range pkg.Funcs {
			check("func "+f.Name, f.Decl.Type)
		}
		for _, ty := range pkg.Types {
			check("type "+ty.Name, ty.Decl)
			for _, m := range append(ty.Methods, ty.Funcs...) {
				check("func "+m.Name, m.Decl.Type)
			}
		}
	}
}

// TestNothingPointsAway holds that no file names a machine's path or a registry.
func TestNothingPointsAway(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "bin") {
			return fs.SkipDir
		}
		if d.IsDir() || !slices.Contains([]string{".go", ".ts", ".mjs", ".json", ".md", ".yaml", ".mod", ".sum", ".sh"}, filepath.Ext(path)) || path == "house_test.go" {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, bad := range []string{"/work/main", "/work/shared", "registry.npmjs.org", "proxy.golang.org"} {
			if strings.Contains(string(b), bad) {
				t.Errorf("%s names %s", path, bad)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
