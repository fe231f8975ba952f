package main

// about stands above the flags in the help.
const about = `Serves a model that does what a script says, over the wires of Anthropic and OpenAI.
It prints its address, and takes any key: point ANTHROPIC_BASE_URL at it, or OPENAI_BASE_URL with /v1 behind it.

    scripted-model --script rules.json

`

// format stands below them.
const format = `
The script is a JSON object. The first rule whose "match" (a regular expression, RE2) is found in the member's words
answers; $1 stands for its group. Where none is, the reply is "words" words long.

    {
      "words": 20, "waitMs": 0, "paceMs": 0,
      "rules": [
        {"match": "(?i)loans of (\\w+)",
         "say": "Let me look.",
         "calls": [{"tool": "loans-list", "input": {"member": "$1"}}],
         "then": "I found: {results}"},
        {"match": "slow down", "fault": {"status": 529, "type": "overloaded_error", "message": "Overloaded"}},
        {"match": "break", "say": "one two three", "end": {"way": "cut"}}
      ]
    }

  think, say, calls   the reply, in this order
  then                the reply to what the calls gave
  stop, fault, end    another stop reason; an error in place of a reply; a stream that ends by cut, stall, fail or close

A tool is called by the name that the model is sent: loans.list is loans-list, or with one tool a router loans, with
{"action": "list", "input": {…}}. A call of a tool that is not offered is left out of the reply, and told here. Where no
rule answers, a member who writes  call loans-list {"member": "Ada"}  has that tool called.
`
