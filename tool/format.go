package tool

import (
	"regexp"
	"time"
)

// formats are those of JSON Schema that our validator enforces and that are kept in a schema.
var formats = map[string]bool{
	"date": true, "date-time": true, "time": true, "duration": true, "uuid": true, "email": true, "uri": true,
	"ipv4": true, "ipv6": true, "hostname": true,
}

var (
	uuidPattern     = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	timePattern     = regexp.MustCompile(`^[0-2][0-9]:[0-5][0-9](:[0-6][0-9](\.[0-9]{1,9})?)?(Z|[+-][0-2][0-9]:[0-5][0-9])?$`)
	durationPattern = regexp.MustCompile(`^P([0-9]+[YMWD])*(T([0-9]+(\.[0-9]+)?[HMS])+)?$`)
)

// inert reports whether a value really is of a format in which no sentence fits: a date, a time, a duration or a UUID.
func inert(format, value string) bool {
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, value)
		return err == nil
	case "date-time":
		_, ok := parseDateTime(value)
		return ok
	case "time":
		return timePattern.MatchString(value)
	case "duration":
		return durationPattern.MatchString(value)
	case "uuid":
		return uuidPattern.MatchString(value)
	}
	return false
}

// parseDateTime reads a date-time with or without an offset; one without is in UTC as far as this says.
func parseDateTime(v string) (time.Time, bool) {
	if len(v) > 40 {
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, v); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
