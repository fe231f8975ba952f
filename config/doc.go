// Package config reads a host's steward.yaml: the one file that says what a product is, where its API, its pages and
// its words are, and who may do what.
//
// [Load] decodes strictly and reports every fault of a file at once, each with its place and what would be right.
// A secret never stands in the file: a key that ends in _env names a variable of the environment and one that ends in
// _file names a file, and what the environment says wins over the file. Floors above read a [*Config] and may ask
// [Config.Where] for the place of a value, so that their own faults name it too.
package config
