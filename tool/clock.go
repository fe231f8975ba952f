package tool

import "time"

// systemClock is the one place where this package looks at the system's clock; everything else takes a Now.
func systemClock() time.Time { return time.Now() } //nolint:forbidigo // the seam itself
