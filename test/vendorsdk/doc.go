// Package vendorsdk drives the scripted model with the vendors' own SDKs, so that the model cannot drift from the wires
// that the vendors speak. It is a module of its own because the SDKs take minutes to compile and nobody else needs it.
package vendorsdk
