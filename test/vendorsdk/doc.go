// Package vendorsdk drives the scripted model with the vendor's own SDK, so that the model cannot drift from the wire
// that the vendor speaks. It is a module of its own because the SDK takes minutes to compile and nobody else needs it.
package vendorsdk
