package event

// Facts is the one list of codes.
var Facts = []Fact{
	{BadRequest, []Level{LevelRefused}, 400, ActionChange, ""},
	{Unauthorized, []Level{LevelRefused}, 401, ActionSignIn, ""},
	{GrantExpired, []Level{LevelRefused}, 401, ActionSignIn, ""},
	{InvalidWorkbenchToken, []Level{LevelRefused}, 401, ActionSignIn, ""},
	{Forbidden, []Level{LevelRefused}, 403, ActionNone, ""},
	{VoiceNotInPlan, []Level{LevelRefused}, 403, ActionNone, ""},
	{NotFound, []Level{LevelRefused, LevelCall}, 404, ActionNew, ""},
	{ActionGone, []Level{LevelRefused}, 404, ActionNone, ""},
	{ToolExecutionNotFound, []Level{LevelRefused}, 404, ActionReload, ""},
	{TurnInProgress, []Level{LevelRefused}, 409, ActionWait, ""},
	{DuplicateMismatch, []Level{LevelRefused}, 409, ActionReload, ""},
	{HistoryDiverged, []Level{LevelRefused}, 409, ActionReload, ""},
	{CallChanged, []Level{LevelRefused, LevelCall}, 409, ActionReload, ""},
	{ToolAlreadyResolved, []Level{LevelRefused}, 409, ActionReload, ""},
	{ToolNotAwaitingApproval, []Level{LevelRefused}, 409, ActionReload, ""},
	{ConfirmBatchMixedMessages, []Level{LevelRefused}, 409, ActionChange, ""},
	{IllegalTransition, []Level{LevelRefused}, 409, ActionReload, ""},
	{AudioTooLarge, []Level{LevelRefused}, 413, ActionChange, ""},
	{BodyTooLarge, []Level{LevelRefused}, 413, ActionChange, ""},
	{UnsupportedAudio, []Level{LevelRefused}, 415, ActionChange, ""},
	{UnsupportedAttachment, []Level{LevelRefused}, 415, ActionChange, ""},
	{UndoUnavailable, []Level{LevelRefused}, 422, ActionNone, ""},
	{InvalidPick, []Level{LevelRefused}, 422, ActionChange, ""},
	{QuotaExceeded, []Level{LevelRefused}, 429, ActionWait, OutcomeBlocked},
	{BudgetExhausted, []Level{LevelRefused, LevelTurn}, 429, ActionWait, OutcomeBudgetExhausted},
	{AbuseBlocked, []Level{LevelRefused}, 429, ActionWait, OutcomeBlocked},
	{NotConfigured, []Level{LevelRefused}, 503, ActionUseGuide, OutcomeNotConfigured},
	{STTNotConfigured, []Level{LevelRefused}, 503, ActionOperator, ""},
	{TTSNotConfigured, []Level{LevelRefused}, 503, ActionOperator, ""},
	{AgentDisabled, []Level{LevelRefused}, 503, ActionNone, OutcomeDisabled},
	{Overloaded, []Level{LevelRefused}, 503, ActionRetry, ""},
	{Unavailable, []Level{LevelRefused, LevelTurn, LevelBrowser}, 503, ActionRetry, OutcomeFailed},
	{Internal, []Level{LevelRefused, LevelTurn}, 500, ActionRetry, OutcomeFailed},

	{Aborted, []Level{LevelTurn, LevelCall}, 0, ActionGoOn, OutcomeCancelled},
	{Interrupted, []Level{LevelTurn}, 0, ActionRetry, OutcomeInterrupted},
	{Refused, []Level{LevelTurn}, 0, ActionChange, OutcomeRefused},
	{ProviderUnreachable, []Level{LevelTurn}, 0, ActionRetry, OutcomeProviderError},
	{ProviderOutOfCredit, []Level{LevelTurn}, 0, ActionOperator, OutcomeProviderError},
	{ProviderInvalidRequest, []Level{LevelTurn}, 0, ActionOperator, OutcomeProviderError},
	{ProviderUnauthorized, []Level{LevelTurn}, 0, ActionOperator, OutcomeProviderError},
	{ProviderRateLimited, []Level{LevelTurn}, 0, ActionRetry, OutcomeProviderError},
	{ProviderOverloaded, []Level{LevelTurn}, 0, ActionRetry, OutcomeProviderError},
	{ProviderUnavailable, []Level{LevelTurn}, 0, ActionRetry, OutcomeProviderError},
	{ProviderOutputTruncated, []Level{LevelTurn}, 0, ActionSmaller, OutcomeTruncated},
	{MaxRoundsReached, []Level{LevelTurn}, 0, ActionGoOn, OutcomeMaxRounds},
	{ToolFailing, []Level{LevelTurn}, 0, ActionRetry, OutcomeFailed},
	{ReplayIntegrityViolation, []Level{LevelTurn}, 0, ActionNew, OutcomeFailed},

	{RejectedByUser, []Level{LevelCall}, 0, ActionNone, ""},
	{SkippedAfterRejection, []Level{LevelCall}, 0, ActionNone, ""},
	{InterruptedOutcomeUnknown, []Level{LevelCall}, 0, ActionNone, ""},
	{Superseded, []Level{LevelCall}, 0, ActionNone, ""},
	{Lapsed, []Level{LevelCall}, 0, ActionNone, ""},
	{NotRunRoundLimit, []Level{LevelCall}, 0, ActionGoOn, ""},
	{NotRunTruncated, []Level{LevelCall}, 0, ActionSmaller, ""},
	{FeatureNotInPlan, []Level{LevelCall}, 0, ActionNone, ""},
	{ChannelOnly, []Level{LevelCall}, 0, ActionNone, ""},
	{InvalidInput, []Level{LevelCall}, 0, ActionNone, ""},
	{NotAllowedHere, []Level{LevelCall}, 0, ActionNone, ""},
	{PageDidNotAnswer, []Level{LevelCall}, 0, ActionRetry, ""},
	{RefusedByHost, []Level{LevelCall}, 0, ActionNone, ""},
	{Unreadable, []Level{LevelCall}, 0, ActionRetry, ""},

	{KeyInvalid, []Level{LevelBrowser}, 0, ActionSignIn, ""},
	{OutOfCredit, []Level{LevelBrowser}, 0, ActionOperator, ""},
	{Quota, []Level{LevelBrowser}, 0, ActionWait, ""},
	{Unreachable, []Level{LevelBrowser}, 0, ActionRetry, ""},
}

var factOf = func() map[Code]Fact {
	m := make(map[Code]Fact, len(Facts))
	for _, f := range Facts {
		m[f.Code] = f
	}
	return m
}()

// FactOf gives the list's row for a code; a code outside the list gives Internal's.
func FactOf(c Code) Fact {
	if f, ok := factOf[c]; ok {
		return f
	}
	return factOf[Internal]
}
