package bestow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

const (
	firstPause   = 500 * time.Millisecond
	longestPause = 10 * time.Second
	readRetries  = 4
	// wrongAddress ends calls to an address that has never answered. One that has answered is right: its service restarts.
	wrongAddress = 2 * time.Second
)

// verdict is what an attempt that did not succeed means.
type verdict struct {
	failure       *Error
	mayRetry      bool
	isUnconnected bool
}

// activeCall is a call with the facts of its attempts so far.
type activeCall struct {
	*connection
	plan    *plan
	ctx     context.Context
	started time.Time
	// least is what the pauses and the late attempts must have taken; a transport of tests takes less.
	least time.Duration
	facts Error
}

func (active *activeCall) elapsed() time.Duration {
	return max(active.now().Sub(active.started), active.least)
}

func (active *activeCall) attemptLimit() time.Duration {
	if active.plan.timeout == unlimited {
		return active.plan.attemptTimeout
	}
	return min(active.plan.attemptTimeout, active.plan.timeout-active.elapsed())
}

// run sends the request until there is a final answer. decode is called with an answer of the service.
func (connection *connection) run(
	ctx context.Context, plan *plan, decode func([]byte) error,
) (*Answer, error) {
	active := &activeCall{connection: connection, plan: plan, ctx: ctx, started: connection.now()}
	active.facts.IdempotencyKey = plan.key
	if ctx.Err() != nil {
		return nil, active.ended()
	}
	limited, release := limit(ctx, plan.timeout)
	defer release()
	for longest := firstPause; ; longest = min(2*longest, longestPause) {
		attemptStart, began, within := active.now(), active.elapsed(), active.attemptLimit()
		tried := connection.attempt(limited, plan, within)
		active.note(tried)
		if tried.isLate && ctx.Err() == nil {
			active.least = began + within
		}
		duration := active.now().Sub(attemptStart)
		found := active.judge(tried, limited.Err() != nil || active.elapsed() >= plan.timeout, decode)
		if found == nil {
			connection.hasAnswered.Store(true)
			active.report(tried, duration, nil, 0)
			return active.answer(tried), nil
		}
		if found.failure.Kind == KindAPI {
			connection.hasAnswered.Store(true)
		}
		failure := found.failure
		if ctx.Err() != nil {
			failure = active.ended()
		}
		pause := active.pauseBeforeNext(found, longest, limited)
		active.report(tried, duration, failure, pause)
		if pause == 0 {
			return nil, failure
		}
		connection.sleep(limited, pause)
		if ctx.Err() != nil {
			return nil, active.ended()
		}
		if limited.Err() != nil {
			return nil, failure
		}
	}
}

func (active *activeCall) note(tried outcome) {
	active.facts.Attempts++
	active.facts.Status = tried.status
	active.facts.RequestID = tried.header.Get("Request-Id")
	active.facts.RetryAfter = retryAfter(tried.header, active.now())
}

// judge returns nil if the attempt succeeded.
func (active *activeCall) judge(tried outcome, isOver bool, decode func([]byte) error) *verdict {
	op := active.plan.operation
	var mistyped *json.UnmarshalTypeError
	returned := parseError(tried.members, active.facts, tried.header)
	switch {
	// Below 400 the service writes no error object: something on the way changed the answer.
	case tried.status >= 400 && returned != nil:
		return &verdict{failure: returned, mayRetry: returned.Retryable}
	case tried.status >= 200 && tried.status < 300 && returned == nil && tried.members != nil && op.isOurs(tried.members):
		tried.err = decode(tried.raw)
		if tried.err == nil {
			return nil
		}
		errors.As(tried.err, &mistyped)
	}
	kind, known := KindConnection, noAnswer{}
	switch {
	case mistyped != nil:
		known = explainMistyped(active.address, mistyped)
	case tried.isLate:
		within := active.plan.attemptTimeout
		if isOver {
			within = active.plan.timeout
		}
		kind, known.message = KindTimeout, fmt.Sprintf("no answer came from %s within %s", active.address, within)
	case tried.err != nil:
		known = explainFailure(active.address, tried.err)
		if isTimeout(tried.err) {
			kind = KindTimeout
		}
	case tried.isTooLarge:
		known.message = fmt.Sprintf("HTTP %d of %s has more than the 16 MiB that the client reads", tried.status, active.address)
	default:
		known = explainForeign(active.address, tried.status, tried.header)
	}
	active.facts.OutcomeUnknown = active.facts.OutcomeUnknown || !(op.isRead() || tried.isUnsent)
	failure := active.facts
	failure.Kind, failure.cause = kind, tried.err
	failure.Message = known.message
	if failure.Attempts > 1 {
		failure.Message += fmt.Sprintf(" (%d attempts)", failure.Attempts)
	}
	if failure.OutcomeUnknown {
		failure.Message += ": the outcome is unknown"
	}
	mayRetry := !known.isFinal && !tried.isForeign && (tried.isUnsent || !op.isSentOnce)
	return &verdict{failure: &failure, mayRetry: mayRetry, isUnconnected: tried.isUnsent}
}

// pauseBeforeNext returns 0 if there is no next attempt.
func (active *activeCall) pauseBeforeNext(found *verdict, longest time.Duration, limited context.Context) time.Duration {
	retries := active.plan.maxRetries
	if retries == nil && active.plan.operation.isRead() && !active.plan.isEndless {
		most := readRetries
		retries = &most
	}
	if !found.mayRetry || limited.Err() != nil || (retries != nil && active.facts.Attempts > *retries) {
		return 0
	}
	// Half of the pause is random, so that clients that failed together do not retry together.
	pause := max(longest/2, active.facts.RetryAfter) + rand.N(longest/2)
	within := active.plan.timeout
	if found.isUnconnected && !active.hasAnswered.Load() {
		within = min(within, wrongAddress)
	}
	end := active.elapsed() + pause
	if within != unlimited && end >= within {
		return 0
	}
	// The caller's deadline ends the call without a further attempt, so the error of this one is returned now.
	if deadline, hasDeadline := active.ctx.Deadline(); hasDeadline && !active.started.Add(end).Before(deadline) {
		return 0
	}
	active.least = end
	return pause
}

// ended describes that the caller's context ended the call.
func (active *activeCall) ended() *Error {
	failure := active.facts
	failure.Kind, failure.cause = KindCanceled, contextError{active.ctx}
	failure.Message = "the call was canceled"
	if active.ctx.Err() == context.DeadlineExceeded {
		failure.Kind, failure.Message = KindTimeout, "the deadline of the context passed"
	}
	if failure.OutcomeUnknown {
		failure.Message += ": the outcome is unknown"
	}
	return &failure
}

// contextError is the error of a context, and its cause.
type contextError struct{ ctx context.Context }

func (err contextError) Error() string   { return context.Cause(err.ctx).Error() }
func (err contextError) Unwrap() []error { return []error{err.ctx.Err(), context.Cause(err.ctx)} }

func (active *activeCall) answer(tried outcome) *Answer {
	return &Answer{
		Status: tried.status, Header: tried.header, RequestID: active.facts.RequestID, IsReplay: isReplay(tried.header),
		IdempotencyKey: active.plan.key, Attempts: active.facts.Attempts,
	}
}

func isReplay(header http.Header) bool { return header.Get("Idempotent-Replayed") == "true" }

func (active *activeCall) report(tried outcome, duration time.Duration, err error, pause time.Duration) {
	path, _, _ := strings.Cut(active.plan.path, "?")
	attempt := Attempt{
		Method: active.plan.operation.method, Path: path, Number: active.facts.Attempts, Duration: duration,
		Status: tried.status, RequestID: active.facts.RequestID, IsReplay: isReplay(tried.header), Err: err, Pause: pause,
	}
	if active.logger != nil {
		active.logger.LogAttrs(active.ctx, slog.LevelDebug, "bestow attempt",
			slog.String("method", attempt.Method), slog.String("path", path), slog.Int("attempt", attempt.Number),
			slog.Duration("duration", duration), slog.Int("status", attempt.Status),
			slog.String("request_id", attempt.RequestID), slog.Duration("pause", pause))
	}
	if active.onAttempt != nil {
		active.onAttempt(attempt)
	}
}
