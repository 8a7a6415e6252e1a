package bestow

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

type resendInput struct {
	Failed bool       `json:"failed,omitempty"`
	From   *time.Time `json:"from,omitempty"`
}

type resendResult struct {
	Resent int64 `json:"resent"`
}

// Delete removes an endpoint. It is sent once, because a second time returns CodeResourceMissing.
func (service WebhookEndpointService) Delete(ctx context.Context, endpointID string, options ...CallOption) error {
	ids := []string{endpointID}
	_, err := callPath[json.RawMessage](ctx, service.client, deleteWebhookEndpoint, ids, nil, options)
	return err
}

// Resend pushes one event again. It returns how many deliveries are sent again.
func (service WebhookEndpointService) Resend(
	ctx context.Context, endpointID, eventID string, options ...CallOption,
) (int64, error) {
	ids := []string{endpointID, eventID}
	result, err := dereference(callPath[resendResult](ctx, service.client, resendWebhookDelivery, ids, nil, options))
	return result.Resent, err
}

// ResendFailed pushes all events whose delivery failed again. It returns how many.
func (service WebhookEndpointService) ResendFailed(
	ctx context.Context, endpointID string, options ...CallOption,
) (int64, error) {
	return service.resendMany(ctx, endpointID, resendInput{Failed: true}, options)
}

// ResendSince pushes all events again whose delivery began at a time or later. It returns how many.
func (service WebhookEndpointService) ResendSince(
	ctx context.Context, endpointID string, from time.Time, options ...CallOption,
) (int64, error) {
	if from.IsZero() {
		return 0, errors.New("bestow: the time is missing")
	}
	return service.resendMany(ctx, endpointID, resendInput{From: &from}, options)
}

func (service WebhookEndpointService) resendMany(
	ctx context.Context, endpointID string, input resendInput, options []CallOption,
) (int64, error) {
	ids := []string{endpointID}
	result, err := dereference(callPath[resendResult](ctx, service.client, resendWebhookDeliveries, ids, input, options))
	return result.Resent, err
}
