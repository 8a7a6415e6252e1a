// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// WebhookEndpointService manages the addresses that events are pushed to.
type WebhookEndpointService struct{ client *Client }

// DeliveryQuery selects deliveries. A zero field does not filter.
type DeliveryQuery struct {
	// How many a page has, 1 to 100; the service's default is 10, that of an iteration 100.
	Limit int `query:"limit"`
	// An id of this list: the page holds what comes after (older than) it. Not together with the other cursor.
	StartingAfter string `query:"starting_after"`
	// An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor.
	EndingBefore string `query:"ending_before"`
}

// Create pushes the events from now on to an address, at most ten addresses in each environment. The answer has the
// secret that signs the pushes; a retry with the same key has the same one. Codes of its errors: resource_missing,
// webhook_endpoint_limit_reached.
func (service WebhookEndpointService) Create(
	ctx context.Context, input WebhookEndpointInput, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	return callPlain[WebhookEndpointWithSecret](ctx, service.client, createWebhookEndpoint, input, options)
}

// List returns all endpoints of the environment, the first one added first.
func (service WebhookEndpointService) List(ctx context.Context, options ...CallOption) (*Page[WebhookEndpoint], error) {
	return callPlain[Page[WebhookEndpoint]](ctx, service.client, listWebhookEndpoints, nil, options)
}

// Retrieve returns one endpoint, and whether it accepts its events. Codes of its errors: resource_missing.
func (service WebhookEndpointService) Retrieve(
	ctx context.Context, endpointID string, options ...CallOption,
) (*WebhookEndpoint, error) {
	return callPath[WebhookEndpoint](ctx, service.client, retrieveWebhookEndpoint, []string{endpointID}, nil, options)
}

// Update changes the given fields. The next push is as they say. status switches the endpoint off, and on again without
// a loss. Codes of its errors: resource_missing.
func (service WebhookEndpointService) Update(
	ctx context.Context, endpointID string, change WebhookEndpointChange, options ...CallOption,
) (*WebhookEndpoint, error) {
	return callPath[WebhookEndpoint](ctx, service.client, updateWebhookEndpoint, []string{endpointID}, change, options)
}

// RotateSecret signs each push with a new secret, and with the earlier one too for 24 hours or as long as you say.
// Earlier rotations keep what they said, up to 5 secrets at once. An overlap of 0 ends all earlier secrets at once.
// Codes of its errors: resource_missing.
func (service WebhookEndpointService) RotateSecret(
	ctx context.Context, endpointID string, overlapHours *int, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	input := rotateInput{OverlapHours: overlapHours}
	ids := []string{endpointID}
	return callPath[WebhookEndpointWithSecret](ctx, service.client, rotateWebhookSecret, ids, input, options)
}

// Enable continues where the endpoint stopped: no event of the time in between is lost, as long as the feed keeps it.
// Or pushes every event from a sequence on again. A fromSequence of 0 continues. Codes of its errors: resource_missing.
func (service WebhookEndpointService) Enable(
	ctx context.Context, endpointID string, fromSequence int64, options ...CallOption,
) (*WebhookEndpoint, error) {
	input := enableInput{FromSequence: fromSequence}
	return callPath[WebhookEndpoint](ctx, service.client, enableWebhookEndpoint, []string{endpointID}, input, options)
}

// Test pushes an event of the type webhook.test once, which is not in the feed, and returns the answer. It works for a
// disabled endpoint too, and changes nothing. It is sent once. Codes of its errors: resource_missing.
func (service WebhookEndpointService) Test(
	ctx context.Context, endpointID string, options ...CallOption,
) (*WebhookAttempt, error) {
	return callPath[WebhookAttempt](ctx, service.client, testWebhookEndpoint, []string{endpointID}, nil, options)
}

// Deliveries returns each event that was pushed to the endpoint in the last 30 days, with every answer. Codes of its
// errors: resource_missing, cursor_invalid.
func (service WebhookEndpointService) Deliveries(
	ctx context.Context, endpointID string, query DeliveryQuery, options ...CallOption,
) (*Page[WebhookDelivery], error) {
	return service.deliveries(endpointID).page(ctx, valuesOf(query), options)
}

// AllDeliveries iterates over the items of all pages, and ends after an error. With EndingBefore it goes towards newer
// ones, oldest first.
func (service WebhookEndpointService) AllDeliveries(
	ctx context.Context, endpointID string, query DeliveryQuery, options ...CallOption,
) iter.Seq2[WebhookDelivery, error] {
	return service.deliveries(endpointID).all(ctx, valuesOf(query), options)
}

func (service WebhookEndpointService) deliveries(endpointID string) list[WebhookDelivery] {
	idOf := func(delivery WebhookDelivery) string { return delivery.EventID }
	return list[WebhookDelivery]{client: service.client, operation: listWebhookDeliveries, ids: []string{endpointID}, idOf: idOf}
}

// WebhookEndpointInput is an endpoint to add.
type WebhookEndpointInput struct {
	// An https address with a public host.
	URL string `json:"url"`
	// Your own note. It must be one line of 1 to 200 visible characters, without blanks at its ends.
	Description string `json:"description,omitempty"`
	// The types of events to push; nil for all, also those that may come.
	Types []string `json:"types,omitempty"`
	// Push one event after another, and none past one that was not accepted.
	Ordered bool `json:"ordered,omitempty"`
}

// WebhookEndpointWithSecret is an endpoint and its new secret.
type WebhookEndpointWithSecret struct {
	WebhookEndpoint
	// Signs each push; see [VerifyWebhook]. It is not shown again.
	Secret string `json:"secret"`
}

// The values of Status of WebhookEndpoint in this version. More may come.
const (
	EndpointEnabled = "enabled"
	// EndpointFailing: the last push was not accepted.
	EndpointFailing  = "failing"
	EndpointDisabled = "disabled"
)

// WebhookEndpoint is an address that events are pushed to. A time that is not set is zero.
type WebhookEndpoint struct {
	EndpointID  string `json:"endpoint_id"`
	URL         string `json:"url"`
	Description string `json:"description"`
	// Nil for all.
	Types   []string `json:"types"`
	Ordered bool     `json:"ordered"`
	// Failing: the last push was not accepted. Known values: enabled, failing, disabled. More may come.
	Status string `json:"status"`
	// Why it was switched off: five days of failure, the answer 410, or a request of yours. Known values: failing,
	// gone, requested. More may come.
	DisabledReason string    `json:"disabled_reason"`
	DisabledAt     time.Time `json:"disabled_at"`
	FailingSince   time.Time `json:"failing_since"`
	// Nothing is pushed until then, because the endpoint asked for it with Retry-After.
	PausedUntil time.Time `json:"paused_until"`
	// Every event up to this sequence was pushed, or is a delivery that waits.
	Sequence int64 `json:"sequence"`
	// Until when pushes are signed with earlier secrets too.
	PreviousSecretUntil time.Time `json:"previous_secret_until"`
	CreatedAt           time.Time `json:"created_at"`
}

// WebhookEndpointChange changes an endpoint. A nil or empty field stays as it is, and a pointer to an empty text
// removes it.
type WebhookEndpointChange struct {
	// An https address with a public host.
	URL string
	// Your own note. It must be one line of 1 to 200 visible characters, without blanks at its ends.
	Description *string
	// Nil leaves them; an empty slice selects all, also those that may come.
	Types []string
	// Push one event after another, and none past one that was not accepted.
	Ordered *bool
	// Disabled: nothing is pushed. Enabled again, the endpoint continues after its last event, as long as the feed
	// keeps the events since.
	Status string
}

// MarshalJSON leaves fields that stay as they are out, and writes a removed one as null.
func (change WebhookEndpointChange) MarshalJSON() ([]byte, error) {
	members := map[string]any{}
	if change.URL != "" {
		members["url"] = change.URL
	}
	setText(members, "description", change.Description)
	if change.Types != nil {
		members["types"] = change.Types
		if len(change.Types) == 0 {
			members["types"] = nil
		}
	}
	if change.Ordered != nil {
		members["ordered"] = *change.Ordered
	}
	if change.Status != "" {
		members["status"] = change.Status
	}
	return json.Marshal(members)
}

type rotateInput struct {
	// How long pushes are signed with the earlier secret too. 0 ends all earlier secrets at once. It must be a whole
	// number of hours from 0 to 168.
	OverlapHours *int `json:"overlap_hours,omitempty"`
}

type enableInput struct {
	// Push every event from this one on, also those that were delivered; without it, continue. It must be a sequence of
	// an event, from 1 on.
	FromSequence int64 `json:"from_sequence,omitempty"`
}

// WebhookAttempt is an attempt to push an event.
type WebhookAttempt struct {
	// Zero in the answer to Test.
	AttemptedAt time.Time `json:"attempted_at"`
	// 0: no answer.
	Status int `json:"status"`
	// Why the event was not accepted.
	FailureReason string `json:"failure_reason"`
	// The first kilobyte of the answer.
	Body       string `json:"body"`
	DurationMS int64  `json:"duration_ms"`
	// Set in the answer to Test.
	Accepted bool `json:"accepted"`
}

// WebhookDelivery is an event and the attempts to push it to an endpoint.
type WebhookDelivery struct {
	EventID  string `json:"event_id"`
	Type     string `json:"type"`
	Sequence int64  `json:"sequence"`
	// The event pushed to this endpoint before.
	PreviousSequence int64 `json:"previous_sequence"`
	// Failed: ten tries were not accepted. Known values: pending, delivered, failed. More may come.
	Status        string    `json:"status"`
	NextAttemptAt time.Time `json:"next_attempt_at"`
	CreatedAt     time.Time `json:"created_at"`
	// The latest first, at most 30.
	Attempts []WebhookAttempt `json:"attempts"`
}
