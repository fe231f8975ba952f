package tool

import (
	"slices"
	"strings"

	"github.com/steward-assistant/steward/config"
)

// describe puts the host's own words about a tool into its definition, and says what does not fit.
func describe(d *Definition, a config.Action, path string, fault func(path, message string) config.Fault) config.Faults {
	var faults config.Faults
	d.Named = true
	if a.Summary != "" {
		d.Summary = strings.Join(strings.Fields(a.Summary), " ")
	}
	d.Roles = slices.Sorted(slices.Values(a.Roles))
	d.Scopes, d.Feature, d.OrgFlag, d.Needs = a.Scopes, a.Feature, a.OrgFlag, a.Needs
	d.Progress, d.Failure = a.Progress, a.Failure
	d.Trusted, d.Omit, d.MustTell = a.Trusted, a.Omit, a.MustTell
	d.Asks, d.Timeout, d.ResultLimit = a.Asks, a.Timeout.Std(), a.ResultLimit
	if a.Status != nil {
		d.Status = &StatusMap{
			Path: a.Status.Path, Read: a.Status.Read, NotConfigured: a.Status.NotConfigured,
			Unreadable: a.Status.Unreadable, NotAvailable: a.Status.NotAvailable,
		}
	}
	if a.Table != nil {
		d.Table = &TableMap{Title: a.Table.Title, Items: a.Table.Items}
		for _, c := range a.Table.Columns {
			d.Table.Columns = append(d.Table.Columns, Column{Header: c.Header, Path: c.Path})
		}
	}
	switch a.Effect {
	case string(Read):
		d.Effect, d.Confirm = Read, ConfirmNever
	case string(Write):
		d.Effect, d.Confirm = Write, ConfirmAlways
	default: // as its source says
	}
	if d.Effect == Write {
		if a.Confirm != "" {
			d.Confirm = Confirm(a.Confirm)
		}
		return faults
	}
	for key, set := range map[string]bool{
		"confirm": a.Confirm != "" && a.Confirm != string(ConfirmNever), "preview": a.Preview != nil,
		"sentence": a.Sentence != nil, "inverse": a.Inverse != nil, "audit": a.Audit != nil,
	} {
		if set {
			faults = append(faults, fault(path+"."+key, "is for writes, and this is a read"))
		}
	}
	return faults
}
