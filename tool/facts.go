package tool

import "slices"

// HasArgument reports whether a tool takes an argument of that name.
func (d *Definition) HasArgument(name string) bool {
	_, ok := object(schemaOf(d)["properties"])[name]
	return ok
}

// RequiredArguments lists the arguments that every call must have, sorted.
func (d *Definition) RequiredArguments() []string {
	var out []string
	for _, r := range list(schemaOf(d)["required"]) {
		out = append(out, text(r))
	}
	slices.Sort(out)
	return out
}

// HasResult reports whether a JSON Pointer ("*": any index) leads to something in the result. known is false where the
// source does not describe its results so far.
func (d *Definition) HasResult(pointer string) (exists, known bool) {
	if d.output == nil {
		return false, false
	}
	return d.output.has(pointer)
}

// ListAt reports whether a JSON Pointer (empty: the whole result) leads to a list. known is false where the source does
// not describe its results so far.
func (d *Definition) ListAt(pointer string) (is, known bool) {
	at, known := d.output.at(pointer)
	if d.output == nil || at == nil {
		return false, known && d.output != nil
	}
	return at.list()
}

// Lists are JSON Pointers to the lists that stand in the result itself, sorted; none where it is a list, or not described.
func (d *Definition) Lists() []string {
	var out []string
	if d.output == nil {
		return nil
	}
	for _, f := range d.output.variants {
		for _, m := range f.members {
			pointer := "/" + escapeToken(m.name)
			if is, _ := m.form.shape().list(); is && !slices.Contains(out, pointer) {
				out = append(out, pointer)
			}
		}
	}
	slices.Sort(out)
	return out
}

// ShowsNothing reports whether everything that a tool is described to return is omitted, so that calling it is of no use.
func (r *Registry) ShowsNothing(d *Definition) bool {
	omitted := newPointerSet(d.Omit)
	return d.output.only(func(name string) bool { return r.omitter.secret(name) || omitted.key(name).here() })
}

// Roles lists the roles that may read, sorted; none where every role may.
func (r *Registry) Roles() []string { return sortedKeys(r.readers) }
