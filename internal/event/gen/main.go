// Command gen writes what the browser must share with the server as TypeScript: the vocabulary of internal/event and the
// widget's words of internal/words. It is run from the root of the repository; its own test fails while the committed
// files differ from what it would write.
package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
)

func main() {
	if err := run("."); err != nil {
		slog.Error("generate TypeScript", "error", err) //nolint:sloglint // a tool of the build has no request to log for
		os.Exit(1)
	}
}

// run writes every generated file under root, the folder that holds go.mod.
func run(root string) error {
	files, err := outputs()
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // sources are readable by all
			return fmt.Errorf("write %q: %w", name, err)
		}
	}
	return nil
}

// outputs gives the text of every generated file by its path from the root.
func outputs() (map[string]string, error) {
	events, err := eventFile()
	if err != nil {
		return nil, err
	}
	files := map[string]string{"web/client/src/event.gen.ts": events}
	if err := addWordFiles(files); err != nil {
		return nil, err
	}
	return files, nil
}
