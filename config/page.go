package config

// Page is one entry of the nav index.
type Page struct {
	// Path is the page's path in the product; a segment in braces stands for an id, as "/members/{id}". Required.
	Path string `yaml:"path"`
	// Label is what people call it. Required.
	Label Text `yaml:"label"`
	// Synonyms are other words for it, by locale.
	Synonyms map[string][]string `yaml:"synonyms"`
	// OldPaths lead here from before.
	OldPaths []string `yaml:"old_paths"`
	// Focus are ids of parts of the page that a link may point at, as /schedule#today.
	Focus []string `yaml:"focus"`
	// Roles may open it. Empty: every role that may read.
	Roles []string `yaml:"roles"`
	// Feature is the plan's feature without which it is hidden. Empty: none.
	Feature string `yaml:"feature"`
	// Entity is what the segment in braces is an id of. Empty: none.
	Entity string `yaml:"entity"`
}

// Starter is a first question that a page offers.
type Starter struct {
	// Pages are paths of the nav index. Empty: every page.
	Pages []string `yaml:"pages"`
	// Text is the question, in the member's words. Required.
	Text Text `yaml:"text"`
	// Roles it is shown to. Empty: every role that may read.
	Roles []string `yaml:"roles"`
}

// Surface is a place where the assistant lives.
type Surface struct {
	// Persona is how it presents itself there.
	Persona Persona `yaml:"persona"`
	// Tools are what it may use there: names, or "router.*". Empty: everything that the member may.
	Tools []string `yaml:"tools"`
	// ClientTools says whether a front end may bring tools of its own. Their words are text of others. Defaults to
	// false.
	ClientTools bool `yaml:"client_tools"`
	// LinkOrigins are allowed in replies beside the nav index, as "https://help.example.com". Defaults to none.
	LinkOrigins []string `yaml:"link_origins"`
}

// Persona is how the assistant presents itself.
type Persona struct {
	// Name is its own. Defaults to the product's.
	Name string `yaml:"name"`
	// Identity says in a sentence who it is; the model reads it. Defaults to one made of the product's name.
	Identity string `yaml:"identity"`
	// Title stands at the head of its panel. Defaults to its name.
	Title Text `yaml:"title"`
	// Disclosure says under a reply that a machine wrote it. Defaults to Steward's own sentence.
	Disclosure Text `yaml:"disclosure"`
	// Picture is the path of an image of the product, for the panel's head. Empty: none.
	Picture string `yaml:"picture"`
}

// Widget is how the assistant stands in the page.
type Widget struct {
	// Layout is the panel on a desktop: dock, slide_over or card. Defaults to dock.
	Layout string `yaml:"layout"`
	// Shortcut opens it, as "mod+k"; "off": none. Defaults to mod+k.
	Shortcut string `yaml:"shortcut"`
	// BottomBar is a selector of the product's own bar at the bottom, which the launcher stays above. Empty: none.
	BottomBar string `yaml:"bottom_bar"`
	// Drawer is an attribute that <html> carries while the product's drawer is open. Empty: none.
	Drawer string `yaml:"drawer"`
}
