package model

import "slices"

const (
	// maxToolNameBytes is the longest name of a tool that every vendor takes.
	maxToolNameBytes = 64
	// maxNameBytes bounds the name of a reply's call, which some servers tell in pieces.
	maxNameBytes = 256
)

// sentToolName gives the name under which a call goes out. A model may call what no vendor takes as a name
// ("functions.read", a hundred letters), and a conversation that holds such a call would be refused from then on. The
// same name of the same tools becomes the same each time, and never that of a tool which the model did not call.
func sentToolName(name string, tools []Tool) string {
	form := callIDs{most: maxToolNameBytes} // ids and names have one alphabet
	clean := form.clean(name)
	if clean == name {
		return name
	}
	unique := clean
	for n := 2; slices.ContainsFunc(tools, func(t Tool) bool { return t.Name == unique }); n++ {
		unique = form.numbered(clean, n)
	}
	return unique
}
