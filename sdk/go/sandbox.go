package bestow

import "context"

// SandboxService simulates recipients. A live key gets the code sandbox_endpoint_only.
type SandboxService struct{ client *Client }

type deliveryOutcome struct {
	Outcome string `json:"outcome,omitempty"`
}

// ResetResult says how much a reset deleted.
type ResetResult struct {
	OrdersDeleted        int64 `json:"orders_deleted"`
	GiftsDeleted         int64 `json:"gifts_deleted"`
	BalancesDeleted      int64 `json:"balances_deleted"`
	LedgerEntriesDeleted int64 `json:"ledger_entries_deleted"`
}

// Deliver settles a pending delivery. The outcome is Delivered or DeliveryFailed. It is sent once.
func (service SandboxService) Deliver(
	ctx context.Context, giftID, outcome string, options ...CallOption,
) (*Gift, error) {
	body := deliveryOutcome{Outcome: outcome}
	return callPath[Gift](ctx, service.client, simulateDelivery, []string{giftID}, body, options)
}

// Open marks the gift as opened, once.
func (service SandboxService) Open(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, simulateOpen, []string{giftID}, nil, options)
}

// Claim redeems the gift onto a card. It is sent once: after an error with OutcomeUnknown, retrieve the gift.
func (service SandboxService) Claim(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, simulateClaim, []string{giftID}, nil, options)
}

// Spend spends what is left on the gift's card.
func (service SandboxService) Spend(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, simulateSpend, []string{giftID}, nil, options)
}

// Reset deletes every order, gift and cent of the sandbox, for good; keys stay. A large sandbox takes up to half a
// minute, so its one attempt may take the whole timeout.
func (service SandboxService) Reset(ctx context.Context, options ...CallOption) (*ResetResult, error) {
	return callPlain[ResetResult](ctx, service.client, resetSandbox, nil, options)
}
