package modeltest

import (
	"strconv"
	"strings"
)

// house is whose rules a model's name stands for on OpenAI's wires.
type house int

const (
	ofOpenAI     house = iota
	ofOpenRouter       // a name with a slash
	ofOthers           // any other server that is compatible, and scripted models
)

// openaiTraits are what a model takes.
type openaiTraits struct {
	house house
	// reasons: it takes an effort; fixed: it takes no temperature and the like; unasked: it thinks when the request says
	// nothing.
	reasons, fixed, unasked bool
	// efforts are the words that it knows.
	efforts map[string]bool
	// noChatTools: on the Chat wire it takes tools only where it does not think.
	noChatTools bool
}

var everyEffort = set("none minimal low medium high xhigh max")

// openaiModel knows OpenAI's families by their names; models of others take everything.
func openaiModel(name string) openaiTraits {
	m := gptPattern.FindStringSubmatch(name)
	oSeries := len(name) > 1 && name[0] == 'o' && name[1] >= '1' && name[1] <= '9'
	switch {
	case strings.Contains(name, "/"):
		return openaiTraits{house: ofOpenRouter, reasons: true, efforts: everyEffort}
	case oSeries:
		return openaiTraits{reasons: true, fixed: true, unasked: true, efforts: set("low medium high")}
	case strings.HasPrefix(name, "chatgpt-") || strings.HasPrefix(name, "gpt-3") || strings.HasPrefix(name, "gpt-4"):
		return openaiTraits{}
	case m == nil:
		return openaiTraits{house: ofOthers, reasons: true, efforts: everyEffort}
	case strings.Contains(name, "-chat"):
		return openaiTraits{}
	}
	major, errMajor := strconv.Atoi(m[1])
	minor, errMinor := strconv.Atoi("0" + m[2])
	if errMajor != nil || errMinor != nil {
		return openaiTraits{}
	}
	version := major*100 + minor
	t := openaiTraits{reasons: true, fixed: true, efforts: everyEffort}
	// The first of them thinks unasked, 5.1 to 5.4 only when told, those behind unasked again (OpenAI, "Reasoning").
	t.unasked = version == 500 || version > 504
	t.noChatTools = version >= 504
	if version == 500 {
		t.efforts = set("minimal low medium high")
	}
	return t
}
