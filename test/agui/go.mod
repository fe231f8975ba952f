module github.com/steward-assistant/steward/test/agui

go 1.26.8

require github.com/steward-assistant/steward v0.0.0

replace github.com/steward-assistant/steward => ../..
