package event

// Code names a fault. The list is closed: each has a sentence in every language, one next action and a trace id.
type Code string

// Action is the one thing that a person can do next about a fault.
type Action string

// The actions.
const (
	ActionNone     Action = "none"      // nothing to do but read
	ActionRetry    Action = "retry"     // the same again
	ActionGoOn     Action = "go_on"     // say "go on"
	ActionSignIn   Action = "sign_in"   // a new token, or sign in again
	ActionWait     Action = "wait"      // wait for what runs, or until a time
	ActionReload   Action = "reload"    // load the conversation again
	ActionNew      Action = "new"       // begin a new conversation
	ActionChange   Action = "change"    // change what was sent
	ActionOperator Action = "operator"  // whoever runs the assistant must act; quote the trace
	ActionUseGuide Action = "use_guide" // look it up without a model
	ActionSmaller  Action = "smaller"   // ask for it in smaller steps
)

// Outcome is how a turn ended. A turn that waits has none.
type Outcome string

// The outcomes of a turn.
const (
	OutcomeCompleted       Outcome = "completed"
	OutcomeRefused         Outcome = "refused"
	OutcomeProviderError   Outcome = "provider_error"
	OutcomeCrisis          Outcome = "crisis"
	OutcomeBlocked         Outcome = "blocked"
	OutcomeBudgetExhausted Outcome = "budget_exhausted"
	OutcomeCancelled       Outcome = "cancelled"
	OutcomeTruncated       Outcome = "truncated"
	OutcomeInterrupted     Outcome = "interrupted"
	OutcomeMaxRounds       Outcome = "max_rounds"
	OutcomeFailed          Outcome = "failed"
	OutcomeNotConfigured   Outcome = "not_configured"
	OutcomeDisabled        Outcome = "disabled"
)

// Outcomes is the closed list.
var Outcomes = []Outcome{
	OutcomeCompleted, OutcomeRefused, OutcomeProviderError, OutcomeCrisis, OutcomeBlocked, OutcomeBudgetExhausted,
	OutcomeCancelled, OutcomeTruncated, OutcomeInterrupted, OutcomeMaxRounds, OutcomeFailed, OutcomeNotConfigured,
	OutcomeDisabled,
}

// Level says where a code is told.
type Level string

// The levels.
const (
	LevelRefused Level = "refused" // before a stream, as a problem document
	LevelTurn    Level = "turn"    // at the end of a turn
	LevelCall    Level = "call"    // stored with a call
	LevelBrowser Level = "browser" // a state in a browser
)

// The codes that refuse a request.
const (
	BadRequest                Code = "bad_request"
	Unauthorized              Code = "unauthorized"
	GrantExpired              Code = "grant_expired"
	InvalidWorkbenchToken     Code = "invalid_workbench_token"
	Forbidden                 Code = "forbidden"
	VoiceNotInPlan            Code = "voice_not_in_plan"
	NotFound                  Code = "not_found"
	ActionGone                Code = "action_gone"
	ToolExecutionNotFound     Code = "tool_execution_not_found"
	TurnInProgress            Code = "turn_in_progress"
	DuplicateMismatch         Code = "duplicate_mismatch"
	HistoryDiverged           Code = "history_diverged"
	CallChanged               Code = "call_changed"
	ToolAlreadyResolved       Code = "tool_already_resolved"
	ToolNotAwaitingApproval   Code = "tool_not_awaiting_approval"
	ConfirmBatchMixedMessages Code = "confirm_batch_mixed_messages"
	IllegalTransition         Code = "illegal_transition"
	AudioTooLarge             Code = "audio_too_large"
	BodyTooLarge              Code = "body_too_large"
	UnsupportedAudio          Code = "unsupported_audio"
	UnsupportedAttachment     Code = "unsupported_attachment"
	UndoUnavailable           Code = "undo_unavailable"
	InvalidPick               Code = "invalid_pick"
	QuotaExceeded             Code = "quota_exceeded"
	BudgetExhausted           Code = "budget_exhausted" // also the end of a turn
	AbuseBlocked              Code = "abuse_blocked"
	NotConfigured             Code = "not_configured"
	STTNotConfigured          Code = "stt_not_configured"
	TTSNotConfigured          Code = "tts_not_configured"
	AgentDisabled             Code = "agent_disabled"
	Overloaded                Code = "overloaded"
	Unavailable               Code = "unavailable"
	Internal                  Code = "internal" // also the end of a turn
)

// The codes that end a turn.
const (
	Aborted                  Code = "aborted" // also an outcome of a call
	Interrupted              Code = "interrupted"
	Refused                  Code = "refused"
	ProviderUnreachable      Code = "provider_unreachable"
	ProviderOutOfCredit      Code = "provider_out_of_credit"
	ProviderInvalidRequest   Code = "provider_invalid_request"
	ProviderUnauthorized     Code = "provider_unauthorized"
	ProviderRateLimited      Code = "provider_rate_limited"
	ProviderOverloaded       Code = "provider_overloaded"
	ProviderUnavailable      Code = "provider_unavailable"
	ProviderOutputTruncated  Code = "provider_output_truncated"
	MaxRoundsReached         Code = "max_rounds_reached"
	ToolFailing              Code = "tool_failing"
	ReplayIntegrityViolation Code = "replay_integrity_violation"
)

// The outcomes of a call, stored with it.
const (
	RejectedByUser            Code = "rejected_by_user"
	SkippedAfterRejection     Code = "skipped_after_rejection"
	InterruptedOutcomeUnknown Code = "interrupted_outcome_unknown"
	Superseded                Code = "superseded"
	Lapsed                    Code = "lapsed"
	NotRunRoundLimit          Code = "not_run_round_limit"
	NotRunTruncated           Code = "not_run_truncated"
	FeatureNotInPlan          Code = "feature_not_in_plan"
	ChannelOnly               Code = "channel_only"
	InvalidInput              Code = "invalid_input"
	NotAllowedHere            Code = "not_allowed_here"
	PageDidNotAnswer          Code = "page_did_not_answer"
	RefusedByHost             Code = "refused_by_host"
	Unreadable                Code = "unreadable"
)

// The states in a browser that holds its own key.
const (
	KeyInvalid  Code = "key_invalid"
	OutOfCredit Code = "out_of_credit"
	Quota       Code = "quota"
	Unreachable Code = "unreachable"
)

// Fact is what the list holds about a code: at which levels it is told, with which HTTP status (zero where it never is
// a response of its own), what a person can do next, and how a turn that it ends is counted.
type Fact struct {
	Code    Code
	Levels  []Level
	Status  int
	Action  Action
	Outcome Outcome
}
