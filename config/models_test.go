package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/steward-assistant/steward/config"
)

// envOf gives the variables of "NAME=value" words, and the secret that every file here needs.
func envOf(words string) func(string) (string, bool) {
	set := map[string]string{"SECRET": strings.Repeat("s3cret-", 6)}
	for word := range strings.FieldsSeq(words) {
		name, value, _ := strings.Cut(word, "=")
		set[name] = value
	}
	return func(name string) (string, bool) { v, ok := set[name]; return v, ok }
}

func loadModels(models, env string) (*config.Config, config.Faults) {
	return config.Load(testFiles(`
product: {id: gym, name: Gym, about: A gym.}
identity: {secret_env: SECRET, audience: steward, roles: {owner: [read, send]}}
`+models), "steward.yaml", envOf(env))
}

const ownServers = `models:
  providers:
    ollama: {wire: openai_chat, keyless: true, base_url: "http://127.0.0.1:11434/v1", without: [effort]}
    groq: {wire: openai_chat, key_env: GROQ_API_KEY, base_url: "https://api.groq.example/v1"}
`

// TestChosenModels holds which provider and models are chosen, file by file and environment by environment.
func TestChosenModels(t *testing.T) {
	t.Parallel()
	const all = "ANTHROPIC_API_KEY=a OPENAI_API_KEY=b OPENROUTER_API_KEY=c"
	for _, c := range []struct{ name, models, env, want string }{
		{"nothing set", "", "", "anthropic claude-sonnet-5 medium, anthropic claude-haiku-4-5, no key"},
		{"all keys", "", all, "anthropic claude-sonnet-5 medium, anthropic claude-haiku-4-5"},
		{"an empty key is none", "", "ANTHROPIC_API_KEY= OPENAI_API_KEY=b", "openai gpt-5.6-terra medium, openai gpt-5.6-terra"},
		{"two keys", "", "OPENROUTER_API_KEY=c OPENAI_API_KEY=b", "openai gpt-5.6-terra medium, openai gpt-5.6-terra"},
		{"the last key", "", "OPENROUTER_API_KEY=c", "openrouter deepseek/deepseek-v4-flash, openrouter deepseek/deepseek-v4-flash"},
		{"the operator's choice", "", all + " STEWARD_PROVIDER=openrouter", "openrouter deepseek/deepseek-v4-flash, openrouter deepseek/deepseek-v4-flash"},
		{"the operator's choice without its key", "", "ANTHROPIC_API_KEY=a STEWARD_PROVIDER=openai", "openai gpt-5.6-terra medium, openai gpt-5.6-terra, no key"},
		{"the operator's model", "", all + " STEWARD_MODEL=x", "anthropic x, anthropic claude-haiku-4-5"},
		{"both", "", all + " STEWARD_PROVIDER=openai STEWARD_MODEL=x", "openai x, openai gpt-5.6-terra"},
		{"named", "models: {loop: {provider: openai}}", all, "openai gpt-5.6-terra medium, openai gpt-5.6-terra"},
		{"named, and no other", "models: {loop: {provider: openai}}", "ANTHROPIC_API_KEY=a", "openai gpt-5.6-terra medium, openai gpt-5.6-terra, no key"},
		{"a model of nobody's", "models: {loop: {model: m}}", "OPENAI_API_KEY=b", "openai m, openai gpt-5.6-terra"},
		{"a model of the only entry", "models: {providers: {anthropic: {}}, loop: {model: m}}", "OPENAI_API_KEY=b", "anthropic m, anthropic claude-haiku-4-5, no key"},
		{"another key of a name", "models: {providers: {openai: {key_env: MINE}}}", "OPENAI_API_KEY=b", "anthropic claude-sonnet-5 medium, anthropic claude-haiku-4-5, no key"},
		{"another key of a name, set", "models: {providers: {openai: {key_env: MINE}}}", "MINE=b OPENROUTER_API_KEY=c", "openai gpt-5.6-terra medium, openai gpt-5.6-terra"},
		{"a model gives way", "models: {loop: {provider: anthropic, model: claude-opus-5, effort: high}, small: {model: claude-haiku-4-5}}", all + " STEWARD_PROVIDER=openai", "openai gpt-5.6-terra medium, openai gpt-5.6-terra"},
		{"a model stays", "models: {loop: {provider: anthropic, model: claude-opus-5, effort: high}}", all + " STEWARD_PROVIDER=anthropic", "anthropic claude-opus-5 high, anthropic claude-haiku-4-5"},
		{"an effort stays", "models: {loop: {effort: low}}", "OPENROUTER_API_KEY=c", "openrouter deepseek/deepseek-v4-flash low, openrouter deepseek/deepseek-v4-flash"},
		{"no effort, said", `models: {loop: {effort: ""}}`, all, "anthropic claude-sonnet-5, anthropic claude-haiku-4-5"},
		{"no effort, cannot", "models: {providers: {openai: {without: [effort]}}}", "OPENAI_API_KEY=b", "openai gpt-5.6-terra, openai gpt-5.6-terra"},
		{"two of them", "models: {loop: {provider: openai}, small: {provider: anthropic}}", all, "openai gpt-5.6-terra medium, anthropic claude-haiku-4-5"},
		{"two of them, and the operator", "models: {loop: {provider: openai}, small: {provider: anthropic}}", all + " STEWARD_PROVIDER=openrouter", "openrouter deepseek/deepseek-v4-flash, openrouter deepseek/deepseek-v4-flash"},
		{"own servers after the rest", ownServers, "GROQ_API_KEY=g OPENROUTER_API_KEY=c", "openrouter deepseek/deepseek-v4-flash, openrouter deepseek/deepseek-v4-flash"},
		{"own servers by name", ownServers, "GROQ_API_KEY=g STEWARD_MODEL=m", "groq m, groq m"},
		{"own server without a key", ownServers, "STEWARD_MODEL=m", "ollama m, ollama m"},
		{"own server, named", ownServers + "  loop: {provider: ollama, model: m}", all, "ollama m, ollama m"},
		{"the operator's own server", ownServers + "  loop: {provider: openai, effort: high}", all + " STEWARD_PROVIDER=ollama STEWARD_MODEL=m", "ollama m, ollama m"},
		{"the vendor under another name", "models: {providers: {claude: {wire: anthropic}}, loop: {model: m}}", "ANTHROPIC_API_KEY=a", "claude m, claude m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg, faults := loadModels(c.models, c.env)
			if err := faults.Err(); err != nil {
				t.Fatal(err)
			}
			m := cfg.Models
			got := strings.TrimSpace(fmt.Sprintf("%s %s %s", m.Loop.Provider, m.Loop.Model, m.Loop.Effort)) +
				strings.TrimRight(fmt.Sprintf(", %s %s %s", m.Small.Provider, m.Small.Model, m.Small.Effort), " ")
			if !m.Providers[m.Loop.Provider].Configured() {
				got += ", no key"
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestChosenModelFaults holds the faults that depend on the environment.
func TestChosenModelFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ models, env, want string }{
		{"", "STEWARD_PROVIDER=sk-secret-hunter2", "steward.yaml: STEWARD_PROVIDER: must be one of the providers there are: anthropic, openai or openrouter"},
		{ownServers, "STEWARD_PROVIDER=nobody ANTHROPIC_API_KEY=a", "steward.yaml: STEWARD_PROVIDER: must be one of the providers there are: anthropic, openai, openrouter, groq or ollama"},
		{ownServers, "STEWARD_PROVIDER=groq", "steward.yaml:4:1: models.loop.model: STEWARD_PROVIDER names groq, for which no model stands here; set STEWARD_MODEL too"},
		{ownServers, "", ""}, // a server that wants no key is not asked before a model of it is named
		{ownServers + "  loop: {model: m}", "", "steward.yaml:8:10: models.loop.model: could be of groq or ollama; say with provider whose it is"},
		{ownServers + "  small: {provider: groq}", "ANTHROPIC_API_KEY=a", "steward.yaml:8:3: models.small.model: must name a model of groq, which has no default over wire openai_chat"},
		{"", "OPENAI_API_KEY=b OPENAI_BASE_URL=nowhere", "steward.yaml: models.providers.openai.base_url_env (OPENAI_BASE_URL): must be an address such as https://api.example.com"},
		{"", "ANTHROPIC_API_KEY=a OPENAI_API_KEY=b OPENAI_BASE_URL=nowhere", ""},
		{"", "OPENAI_API_KEY=ключ", "steward.yaml: models.providers.openai.key_env: OPENAI_API_KEY holds no key: a key is visible ASCII, without spaces and line ends"},
		{"models: {providers: {openai: {wire: anthropic}}}", "", "steward.yaml:4:31: models.providers.openai.wire: is another vendor's; say with base_url where openai speaks anthropic"},
		{"models: {providers: {openai: {wire: anthropic}}}", "OPENAI_BASE_URL=https://gateway.example", ""},
		{"models: {providers: {openai: {wire: openai_chat}}}", "OPENAI_API_KEY=b", "steward.yaml:4:1: models.loop.model: must name a model of openai, which has no default over wire openai_chat"},
		{"models: {providers: {mine: {wire: openai, key_env: K, base_url_env: U}}, loop: {model: m}}", "K=k", "steward.yaml:4:55: models.providers.mine.base_url_env: U is not set in the environment; it says where the models are, as https://models.example.com/v1"},
		{"models: {providers: {mine: {wire: openai, key_env: K, base_url_env: U}}}", "ANTHROPIC_API_KEY=a", ""},
	} {
		_, faults := loadModels(c.models, c.env)
		if got := faults.Error(); got != c.want {
			t.Errorf("%s with %q\ngot  %s\nwant %s", c.models, c.env, got, c.want)
		}
	}
}

// TestProviderDefaults holds what an entry of the file takes from the vendor of its name or wire, and what it does not.
func TestProviderDefaults(t *testing.T) {
	t.Parallel()
	const env = "ANTHROPIC_API_KEY=a ANTHROPIC_BASE_URL=https://gateway.example OPENAI_API_KEY=b K=k"
	for _, c := range []struct{ entry, name, want string }{
		{"anthropic: {}", "anthropic", "anthropic ANTHROPIC_API_KEY https://gateway.example x-api-key"},
		{`anthropic: {key_file: key.txt, auth_header: authorization}`, "anthropic", "anthropic  https://gateway.example authorization"},
		{`openai: {base_url: "https://mine.example/v1"}`, "openai", "openai OPENAI_API_KEY https://mine.example/v1 "},
		{`openai: {wire: openai_chat, keyless: true, base_url: "http://127.0.0.1:8000/v1"}`, "openai", "openai_chat  http://127.0.0.1:8000/v1 "},
		{"openrouter: {key_env: K}", "openrouter", "openai_chat K https://openrouter.ai/api/v1 "},
		{"chat: {wire: openai_chat}", "chat", "openai_chat OPENAI_API_KEY  "},
		{"claude: {wire: anthropic, key_env: K}", "claude", "anthropic K https://gateway.example x-api-key"},
		{`local: {wire: anthropic, key_env: K, base_url: "http://127.0.0.1:9"}`, "local", "anthropic K http://127.0.0.1:9 x-api-key"},
	} {
		cfg, faults := loadModels("models: {providers: {"+c.entry+"}}", env)
		if err := faults.Err(); err != nil {
			t.Errorf("%s: %v", c.entry, err)
			continue
		}
		p := cfg.Models.Providers[c.name]
		if got := fmt.Sprintf("%s %s %s %s", p.Wire, p.KeyEnv, p.BaseURL, p.AuthHeader); got != c.want {
			t.Errorf("%s: got %q, want %q", c.entry, got, c.want)
		}
	}
}

func TestKeyVariables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ models, env, want string }{
		{"", "", "ANTHROPIC_API_KEY OPENAI_API_KEY OPENROUTER_API_KEY"},
		{"models: {loop: {provider: openai}}", "", "OPENAI_API_KEY"},
		{"", "STEWARD_PROVIDER=openrouter", "OPENROUTER_API_KEY"},
		{"models: {providers: {groq: {wire: openai_chat, key_env: GROQ_API_KEY, base_url: \"https://a.example\"}}}", "", "ANTHROPIC_API_KEY OPENAI_API_KEY OPENROUTER_API_KEY GROQ_API_KEY"},
		{"models: {providers: {openai: {key_file: key.txt}}, loop: {provider: openai}}", "", ""},
	} {
		cfg, faults := loadModels(c.models, c.env)
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(cfg.Models.KeyVariables(), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.models, got, c.want)
		}
	}
}
