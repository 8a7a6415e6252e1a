package bestow

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind says how a call ended.
type Kind string

const (
	// KindAPI is an error that the service returned: the last attempt changed nothing.
	KindAPI Kind = "api"
	// KindConnection means that no answer of the service came; the message says why.
	KindConnection Kind = "connection"
	// KindTimeout means that no answer of the service came in time, or that the deadline of the context passed.
	KindTimeout Kind = "timeout"
	// KindCanceled means that the caller's context was canceled.
	KindCanceled Kind = "canceled"
)

// The types of errors of this version.
const (
	TypeAuthentication = "authentication_error"
	TypeInvalidRequest = "invalid_request_error"
	// TypeInsufficientBalance is a balance or a spending cap that does not allow the order; Reason names the cap.
	TypeInsufficientBalance = "insufficient_balance_error"
	TypeRateLimit           = "rate_limit_error"
	// TypeAPI is a lock, the same idempotency key in progress, or an unexpected failure.
	TypeAPI = "api_error"
)

// The codes of errors that programs branch on most often. The service's documentation lists all of them.
const (
	CodeResourceMissing          = "resource_missing"
	CodeParameterInvalid         = "parameter_invalid"
	CodeCursorInvalid            = "cursor_invalid"
	CodeInsufficientBalance      = "insufficient_balance"
	CodeIdempotencyKeyReused     = "idempotency_key_reused"
	CodeExternalIDTaken          = "external_id_taken"
	CodeGiftAlreadyRedeemed      = "gift_already_redeemed"
	CodeGiftDeliveryNotUpdatable = "gift_delivery_not_updatable"
	CodeGiftResendLimitReached   = "gift_resend_limit_reached"
	CodeRateLimitExceeded        = "rate_limit_exceeded"
	CodeResourceLocked           = "resource_locked"
	CodeIdempotencyInProgress    = "idempotency_in_progress"
	CodeInternalError            = "internal_error"
)

// The reasons of this version.
const (
	ReasonGiftOnHold             = "gift_on_hold"
	ReasonGiftCanceled           = "gift_canceled"
	ReasonGiftScheduled          = "gift_scheduled"
	ReasonGiftsOnHold            = "gifts_on_hold"
	ReasonOrganizationCapReached = "organization_cap_reached"
	ReasonKeyCapReached          = "key_cap_reached"
	ReasonAgentCapReached        = "agent_cap_reached"
	ReasonMemberCapReached       = "member_cap_reached"
	ReasonTeamCapReached         = "team_cap_reached"
	ReasonRecipientCapReached    = "recipient_cap_reached"
)

var (
	retryableCodes = []string{
		CodeRateLimitExceeded, CodeResourceLocked, CodeIdempotencyInProgress, CodeInternalError,
	}
	knownTypes = []string{
		TypeAuthentication, TypeInvalidRequest, TypeInsufficientBalance, TypeRateLimit, TypeAPI,
	}
)

// Error is every error of a call whose arguments were right. Find it with [errors.As]. If the caller's context ended the
// call, [errors.Is] finds context.Canceled or context.DeadlineExceeded, too.
type Error struct {
	Kind Kind
	// Message says what is wrong and what to do. Never branch on it.
	Message string
	// IdempotencyKey is the key that all attempts carried; empty if the call has none. Retry with it and the same body.
	IdempotencyKey string
	// OutcomeUnknown says that an order or another act may have been carried out. It is false for reads.
	OutcomeUnknown bool
	// Attempts is how many times the request was sent.
	Attempts int
	// Status is the HTTP status of the last answer, which may be a gateway's; 0 if the last attempt had none.
	Status int
	// RetryAfter is how long the last answer asked to wait.
	RetryAfter time.Duration
	// RequestID identifies the request; give it to the operator when you ask for help.
	RequestID string

	// The following fields are set if Kind is KindAPI.

	// Type is such as TypeInsufficientBalance.
	Type string
	// Code is such as CodeInsufficientBalance. Branch on it; treat one that you do not know like its Type.
	Code string
	// Reason says why, if that is finer than Code, such as ReasonKeyCapReached; a newer service may send more.
	Reason string
	// Param is the path of the wrong field, such as gifts[0].amount.
	Param string
	// DocURL is the page that explains the code.
	DocURL string
	// OrderID of CodeExternalIDTaken is the order that has the external id.
	OrderID string
	// Retryable says that the same request may succeed later. The client has already retried it.
	Retryable bool

	cause error
}

// Error returns the message, and for an error of the service its code and request id.
func (failure *Error) Error() string {
	if failure.Kind == KindAPI {
		return fmt.Sprintf("bestow: %s: %s (%s)", failure.Code, failure.Message, failure.RequestID)
	}
	return "bestow: " + failure.Message
}

// Unwrap returns the cause, such as the error of the context or of the network.
func (failure *Error) Unwrap() error { return failure.cause }

// parseError returns nil if the answer has no error object of the service, such as a gateway's answer.
func parseError(members map[string]json.RawMessage, facts Error, header http.Header) *Error {
	var body map[string]json.RawMessage
	if json.Unmarshal(members["error"], &body) != nil {
		return nil
	}
	kind, hasType := textOf(body["type"])
	code, hasCode := textOf(body["code"])
	requestID, hasRequestID := textOf(body["request_id"])
	if !hasType || !hasCode || !hasRequestID {
		return nil
	}
	failure := facts
	failure.Kind, failure.Type, failure.Code, failure.RequestID = KindAPI, kind, code, requestID
	failure.Message, _ = textOf(body["message"])
	failure.Reason, _ = textOf(body["reason"])
	failure.Param, _ = textOf(body["param"])
	failure.DocURL, _ = textOf(body["doc_url"])
	failure.OrderID, _ = textOf(body["order_id"])
	switch {
	case slices.Contains(retryableCodes, failure.Code):
		failure.Retryable = true
	case failure.Type == TypeRateLimit || failure.Type == TypeAPI:
		failure.Retryable = header.Get("Retry-After") != ""
	case !slices.Contains(knownTypes, failure.Type):
		failure.Retryable = failure.Status == http.StatusTooManyRequests || failure.Status >= 500
	}
	return &failure
}

// textOf returns a JSON string, and whether the value is one.
func textOf(value json.RawMessage) (string, bool) {
	var text string
	isText := len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &text) == nil
	return text, isText
}

// maxRetryAfter keeps a duration within what time.Duration holds.
const maxRetryAfter = 10 * 365 * 24 * time.Hour

// retryAfter reads seconds, or the exact date that HTTP prescribes; 0 for another text.
func retryAfter(header http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	number, _, _ := strings.Cut(text, ",")
	seconds, err := strconv.ParseUint(strings.TrimSpace(number), 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	date, err := time.Parse(http.TimeFormat, text)
	if err != nil || date.Format(http.TimeFormat) != text {
		return 0
	}
	return min(max(date.Sub(now), 0), maxRetryAfter)
}
