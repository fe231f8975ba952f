package tool

import "encoding/json"

// ResolveName is [Offer.Resolve] for a caller that knows the tool by its own name, "router.action", as the guide does.
func (o *Offer) ResolveName(name string, input json.RawMessage) (*Definition, json.RawMessage, *Result) {
	for _, d := range o.definitions {
		if d.Name() != name {
			continue
		}
		if len(input) == 0 {
			input = json.RawMessage("{}")
		}
		valid, err := o.registry.Validate(d, input)
		if err != nil {
			r := invalid(err.Error())
			return d, input, finishRefusal(&r)
		}
		return d, valid, nil
	}
	return o.stray(name, input)
}
