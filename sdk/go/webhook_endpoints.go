package bestow

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// WebhookEndpointService manages the addresses that events are pushed to.
type WebhookEndpointService struct{ client *Client }

// WebhookEndpointInput is an endpoint to add.
type WebhookEndpointInput struct {
	// URL is an https address with a public host.
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
	// Types are the types of events to push; nil for all, also those that may come.
	Types []string `json:"types,omitempty"`
	// Ordered pushes one event after another, and none past one that was not accepted.
	Ordered bool `json:"ordered,omitempty"`
}

// WebhookEndpointChange changes an endpoint. A nil or empty field stays as it is.
type WebhookEndpointChange struct {
	URL string
	// Description is removed by a pointer to an empty text.
	Description *string
	// Types: nil leaves them; an empty slice selects all, also those that may come.
	Types   []string
	Ordered *bool
	// Status is EndpointEnabled or EndpointDisabled.
	Status string
}

// MarshalJSON leaves fields that stay as they are out.
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

// The statuses of endpoints of this version.
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
	// Types are nil for all.
	Types   []string `json:"types"`
	Ordered bool     `json:"ordered"`
	// Status is such as EndpointEnabled.
	Status string `json:"status"`
	// DisabledReason is failing, gone or requested.
	DisabledReason string    `json:"disabled_reason"`
	DisabledAt     time.Time `json:"disabled_at"`
	FailingSince   time.Time `json:"failing_since"`
	// PausedUntil is set if the endpoint asked for a pause with Retry-After.
	PausedUntil time.Time `json:"paused_until"`
	// Sequence: every event up to it was pushed, or is a delivery that waits.
	Sequence int64 `json:"sequence"`
	// PreviousSecretUntil is until when pushes are signed with earlier secrets, too.
	PreviousSecretUntil time.Time `json:"previous_secret_until"`
	CreatedAt           time.Time `json:"created_at"`
}

// WebhookEndpointWithSecret is an endpoint and its new secret.
type WebhookEndpointWithSecret struct {
	WebhookEndpoint
	// Secret signs each push; see [VerifyWebhook]. It is not shown again.
	Secret string `json:"secret"`
}

// WebhookAttempt is an attempt to push an event.
type WebhookAttempt struct {
	// AttemptedAt is zero in the answer to Test.
	AttemptedAt time.Time `json:"attempted_at"`
	// Status is 0 if no answer came.
	Status        int    `json:"status"`
	FailureReason string `json:"failure_reason"`
	// Body is the first kilobyte of the answer.
	Body string `json:"body"`
	// DurationMS is in milliseconds.
	DurationMS int64 `json:"duration_ms"`
	// Accepted is set in the answer to Test.
	Accepted bool `json:"accepted"`
}

// WebhookDelivery is an event and the attempts to push it to an endpoint.
type WebhookDelivery struct {
	EventID  string `json:"event_id"`
	Type     string `json:"type"`
	Sequence int64  `json:"sequence"`
	// PreviousSequence is the event pushed to this endpoint before; 0 for the first one.
	PreviousSequence int64 `json:"previous_sequence"`
	// Status is pending, delivered or failed.
	Status        string    `json:"status"`
	NextAttemptAt time.Time `json:"next_attempt_at"`
	CreatedAt     time.Time `json:"created_at"`
	// Attempts are the latest 30, latest first.
	Attempts []WebhookAttempt `json:"attempts"`
}

// DeliveryQuery selects deliveries.
type DeliveryQuery struct {
	// Limit is how many a page has, 1 to 100; the service's default is 10, that of an iteration 100.
	Limit         int    `query:"limit"`
	StartingAfter string `query:"starting_after"`
	EndingBefore  string `query:"ending_before"`
}

type rotateInput struct {
	OverlapHours *int `json:"overlap_hours,omitempty"`
}

type enableInput struct {
	FromSequence int64 `json:"from_sequence,omitempty"`
}

// Create adds an endpoint. Keep its secret: it is in this answer only.
func (service WebhookEndpointService) Create(
	ctx context.Context, input WebhookEndpointInput, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	return callPlain[WebhookEndpointWithSecret](ctx, service.client, createWebhookEndpoint, input, options)
}

// List returns all endpoints, on one page.
func (service WebhookEndpointService) List(
	ctx context.Context, options ...CallOption,
) (*Page[WebhookEndpoint], error) {
	return callPlain[Page[WebhookEndpoint]](ctx, service.client, listWebhookEndpoints, nil, options)
}

// Retrieve returns CodeResourceMissing if there is no such endpoint.
func (service WebhookEndpointService) Retrieve(
	ctx context.Context, endpointID string, options ...CallOption,
) (*WebhookEndpoint, error) {
	return callPath[WebhookEndpoint](ctx, service.client, retrieveWebhookEndpoint, []string{endpointID}, nil, options)
}

// Update changes the given fields.
func (service WebhookEndpointService) Update(
	ctx context.Context, endpointID string, change WebhookEndpointChange, options ...CallOption,
) (*WebhookEndpoint, error) {
	return callPath[WebhookEndpoint](ctx, service.client, updateWebhookEndpoint, []string{endpointID}, change, options)
}

// RotateSecret makes a new secret. The earlier ones sign, too, for overlapHours from 0 to 168; nil means 24.
func (service WebhookEndpointService) RotateSecret(
	ctx context.Context, endpointID string, overlapHours *int, options ...CallOption,
) (*WebhookEndpointWithSecret, error) {
	ids, body := []string{endpointID}, rotateInput{OverlapHours: overlapHours}
	return callPath[WebhookEndpointWithSecret](ctx, service.client, rotateWebhookSecret, ids, body, options)
}

// Enable switches an endpoint on. With a fromSequence above 0 every event from it on is pushed again; 0 continues.
func (service WebhookEndpointService) Enable(
	ctx context.Context, endpointID string, fromSequence int64, options ...CallOption,
) (*WebhookEndpoint, error) {
	ids, body := []string{endpointID}, enableInput{FromSequence: fromSequence}
	return callPath[WebhookEndpoint](ctx, service.client, enableWebhookEndpoint, ids, body, options)
}

// Test pushes an event of the type EventWebhookTest once, and returns what the endpoint answered. It is sent once.
func (service WebhookEndpointService) Test(
	ctx context.Context, endpointID string, options ...CallOption,
) (*WebhookAttempt, error) {
	return callPath[WebhookAttempt](ctx, service.client, testWebhookEndpoint, []string{endpointID}, nil, options)
}

// Deliveries returns one page of what was pushed in the last 30 days, newest event first.
func (service WebhookEndpointService) Deliveries(
	ctx context.Context, endpointID string, query DeliveryQuery, options ...CallOption,
) (*Page[WebhookDelivery], error) {
	return service.deliveries(endpointID).page(ctx, valuesOf(query), options)
}

// AllDeliveries iterates over all deliveries, newest event first. It ends after an error.
func (service WebhookEndpointService) AllDeliveries(
	ctx context.Context, endpointID string, query DeliveryQuery, options ...CallOption,
) iter.Seq2[WebhookDelivery, error] {
	return service.deliveries(endpointID).all(ctx, valuesOf(query), options)
}

func (service WebhookEndpointService) deliveries(endpointID string) list[WebhookDelivery] {
	return list[WebhookDelivery]{
		client: service.client, operation: listWebhookDeliveries, ids: []string{endpointID},
		idOf: func(delivery WebhookDelivery) string { return delivery.EventID },
	}
}
