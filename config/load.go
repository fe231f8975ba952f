package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// maxFileBytes is the largest file that is read; a host with two hundred described tools needs about 200 KB.
const maxFileBytes = 4 << 20

// Load reads the file called name in fsys, decodes it strictly, resolves what its _env and _file keys name, fills in
// the defaults and checks everything that can be checked without the network and without the documents it points at.
// Paths in the file are read from fsys too. env looks a variable up, as [os.LookupEnv] does; nil: none is set.
// STEWARD_PROVIDER and STEWARD_MODEL win over what the file says of models.
//
// The configuration is usable only when there are no faults; with some it holds what could be read, so that later
// checks can add theirs, and is nil when nothing could.
func Load(fsys fs.FS, name string, env func(string) (string, bool)) (*Config, Faults) {
	if env == nil {
		env = func(string) (string, bool) { return "", false }
	}
	src, err := readBounded(fsys, name)
	if err != nil {
		message := readFault(err)
		if errors.Is(err, fs.ErrNotExist) {
			message += "; steward init writes one, and --config (or STEWARD_CONFIG) names one that is elsewhere"
		}
		return nil, Faults{{Position: Position{File: name}, Message: message}}
	}
	d := &decoder{file: name, at: map[string]Position{}, anchors: map[string]ast.Node{}}
	root := d.parse(src)
	if root == nil {
		return nil, d.faults
	}
	c := &Config{File: name, Files: fsys, at: d.at}
	d.value(root, reflect.ValueOf(c).Elem(), "")
	l := &loader{c: c, env: env, faults: d.faults, decoded: len(d.faults)}
	l.defaults()
	l.resolve()
	l.chooseModels()
	l.validate()
	return c, l.faults.Sort()
}

// loader fills in and checks what the decoder read.
type loader struct {
	c      *Config
	env    func(string) (string, bool)
	faults Faults
	// decoded is how many of the faults the decoder found.
	decoded int
}

// fault notes a fault, unless the value or what it stands in could not be read and was told of already: what is said of a
// default in its place would mislead.
func (l *loader) fault(path, message string) {
	for _, f := range l.faults[:l.decoded] {
		if rest, below := strings.CutPrefix(path, f.Path); f.Path != "" && below && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return
		}
	}
	l.faults = append(l.faults, l.c.Fault(path, message))
}

// Dir gives the files of a folder for [Load]: paths in it are relative to the folder, and unlike [os.DirFS] absolute
// ones and ones that lead out of it are read too, because an operator's secrets often stand elsewhere.
func Dir(folder string) fs.FS { return diskFS(folder) }

type diskFS string

// Open opens a file of the disk.
func (d diskFS) Open(name string) (fs.File, error) {
	p := filepath.FromSlash(name)
	if !filepath.IsAbs(p) {
		p = filepath.Join(string(d), p)
	}
	return os.Open(p) //nolint:gosec // the operator's own file names which files are read
}

var errTooLarge = errors.New("file is too large")

// MaxDocumentBytes is the largest document that a source may have; GitHub's, which is among the largest there are, has
// 13 MB.
const MaxDocumentBytes = 32 << 20

// ReadDocument reads a file that the configuration names, as the document of a source. An error says why it could not
// be read, without paths of the machine.
func (c *Config) ReadDocument(name string) ([]byte, error) {
	b, err := readBoundedBy(c.Files, name, MaxDocumentBytes)
	if err != nil {
		return nil, errors.New("the file " + readFault(err))
	}
	return b, nil
}

func readBounded(fsys fs.FS, name string) ([]byte, error) {
	return readBoundedBy(fsys, name, maxFileBytes)
}

func readBoundedBy(fsys fs.FS, name string, limit int64) (_ []byte, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, errTooLarge
	}
	return b, nil
}

// readFault says why a file could not be read, without the machine's own paths.
func readFault(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "may not be read by this process"
	case errors.Is(err, fs.ErrInvalid):
		return "is not a path inside the folder"
	case errors.Is(err, errTooLarge):
		return "is too large"
	default:
		return "cannot be read"
	}
}
