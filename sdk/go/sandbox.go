// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import "context"

// SandboxService simulates recipients. A live key gets the code sandbox_endpoint_only.
type SandboxService struct{ client *Client }

// Deliver settles the pending delivery of an email or phone gift as delivered (the default, also for an empty outcome)
// or failed. A failed gift can be redirected. It is sent once. Codes of its errors: sandbox_endpoint_only,
// resource_missing, gift_already_delivered, gift_delivery_not_simulatable.
func (service SandboxService) Deliver(
	ctx context.Context, giftID, outcome string, options ...CallOption,
) (*Gift, error) {
	input := deliveryOutcome{Outcome: outcome}
	return callPath[Gift](ctx, service.client, simulateDelivery, []string{giftID}, input, options)
}

// Open stamps the gift as opened, once. A claimed gift still shows claimed. Codes of its errors: sandbox_endpoint_only,
// resource_missing, gift_already_redeemed, gift_delivery_not_simulatable.
func (service SandboxService) Open(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, simulateOpen, []string{giftID}, nil, options)
}

// Claim redeems the gift onto a card, once. This also opens an unopened gift. It is sent once. Codes of its errors:
// sandbox_endpoint_only, resource_missing, gift_already_redeemed.
func (service SandboxService) Claim(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, simulateClaim, []string{giftID}, nil, options)
}

// Spend spends the rest of the gift's card. Repeating it changes nothing. Codes of its errors: sandbox_endpoint_only,
// resource_missing, gift_not_claimed.
func (service SandboxService) Spend(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, simulateSpend, []string{giftID}, nil, options)
}

// Reset deletes every order, gift, balance and ledger entry of the organization's sandbox, and with them the
// idempotency keys. API keys stay. Add funds before ordering again. It cannot be undone, and a second call deletes what
// has come since. It is sent once. Its attempt may take the whole timeout. Codes of its errors: sandbox_endpoint_only.
func (service SandboxService) Reset(ctx context.Context, options ...CallOption) (*ResetResult, error) {
	return callPlain[ResetResult](ctx, service.client, resetSandbox, nil, options)
}

type deliveryOutcome struct {
	Outcome string `json:"outcome,omitempty"`
}

// ResetResult is what a reset deleted.
type ResetResult struct {
	// How many orders were deleted.
	OrdersDeleted int64 `json:"orders_deleted"`
	// How many gifts were deleted.
	GiftsDeleted int64 `json:"gifts_deleted"`
	// How many balances were deleted.
	BalancesDeleted int64 `json:"balances_deleted"`
	// How many entries of the balance's ledger were deleted.
	LedgerEntriesDeleted int64 `json:"ledger_entries_deleted"`
}
