package config

import "strings"

// resolve reads what _env and _file keys name.
func (l *loader) resolve() {
	c := l.c
	id := &c.Identity
	id.Secret = l.secret("identity", "secret", id.SecretEnv, id.SecretFile, true)
	c.Statement.Key = l.secret("statement", "key", c.Statement.KeyEnv, c.Statement.KeyFile, true)
	for name, p := range c.Models.Providers {
		path := join("models.providers", name)
		// A key that is not there is a state that people are told of, not a fault: the guide answers without one.
		p.Key = l.secret(path, "key", p.KeyEnv, p.KeyFile, false)
		p.BaseURL = l.setting(p.BaseURLEnv, p.BaseURL)
		c.Models.Providers[name] = p
	}
	for name := range c.Sources {
		l.resolveSource(name)
	}
}

// setting is a value that a variable may set; the environment wins.
func (l *loader) setting(env, file string) string {
	if env != "" {
		if v, ok := l.env(env); ok && v != "" {
			return v
		}
	}
	return file
}

// secret reads a secret from the variable or the file that is named; the environment wins.
func (l *loader) secret(path, key, env, file string, required bool) Secret {
	if env != "" {
		if v, ok := l.env(env); ok && v != "" {
			return NewSecret(v)
		}
	}
	if file != "" {
		at := path + "." + key + "_file"
		b, err := readBounded(l.c.Files, file)
		if err != nil {
			l.fault(at, "the file "+readFault(err))
			return Secret{}
		}
		s := strings.TrimRight(string(b), "\r\n")
		if s == "" {
			l.fault(at, "the file is empty")
		}
		return NewSecret(s)
	}
	if env != "" && required {
		l.fault(path+"."+key+"_env", env+" is not set in the environment")
	}
	return Secret{}
}
