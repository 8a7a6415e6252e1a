package bestow

import (
	"context"
	"iter"
	"time"
)

// BalanceService reads what the organization can spend.
type BalanceService struct{ client *Client }

// Balance is the balance of the organization in the key's environment.
type Balance struct {
	// Available is what orders can spend now, in cents.
	Available int64 `json:"available"`
	// Currency is an ISO 4217 code, such as USD.
	Currency string `json:"currency"`
	// LastEntry is nil before the first one.
	LastEntry *BalanceEntry `json:"last_entry,omitempty"`
}

// The kinds of entries of this version.
const (
	EntryFunding    = "funding"
	EntryAdjustment = "adjustment"
	EntryOrder      = "order"
	EntryRefund     = "refund"
)

// BalanceEntry is a change of the balance. It is never changed.
type BalanceEntry struct {
	EntryID string `json:"entry_id"`
	// Kind is such as EntryOrder.
	Kind string `json:"kind"`
	// Amount is in cents, and negative for a debit.
	Amount int64 `json:"amount"`
	// BalanceAfter is in cents.
	BalanceAfter int64 `json:"balance_after"`
	// OrderID of EntryOrder is the order that the entry paid for.
	OrderID string `json:"order_id,omitempty"`
	// GiftID of EntryRefund is the canceled gift.
	GiftID string `json:"gift_id,omitempty"`
	// Reference is the operator's.
	Reference string    `json:"reference,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// EntryQuery selects entries. A zero field does not filter.
type EntryQuery struct {
	// Limit is how many a page has, 1 to 100; the service's default is 10, that of an iteration 100.
	Limit         int       `query:"limit"`
	StartingAfter string    `query:"starting_after"`
	EndingBefore  string    `query:"ending_before"`
	CreatedAfter  time.Time `query:"created_after"`
	CreatedBefore time.Time `query:"created_before"`
	Kind          string    `query:"kind"`
}

// Retrieve returns the balance.
func (service BalanceService) Retrieve(ctx context.Context, options ...CallOption) (*Balance, error) {
	return callPlain[Balance](ctx, service.client, retrieveBalance, nil, options)
}

// Entries returns one page, newest first.
func (service BalanceService) Entries(
	ctx context.Context, query EntryQuery, options ...CallOption,
) (*Page[BalanceEntry], error) {
	return service.list().page(ctx, valuesOf(query), options)
}

// AllEntries iterates over all entries, newest first; with EndingBefore over later ones, oldest first. It ends after an
// error.
func (service BalanceService) AllEntries(
	ctx context.Context, query EntryQuery, options ...CallOption,
) iter.Seq2[BalanceEntry, error] {
	return service.list().all(ctx, valuesOf(query), options)
}

func (service BalanceService) list() list[BalanceEntry] {
	idOf := func(entry BalanceEntry) string { return entry.EntryID }
	return list[BalanceEntry]{client: service.client, operation: listBalanceEntries, idOf: idOf}
}
