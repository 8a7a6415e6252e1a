// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import (
	"context"
	"iter"
	"time"
)

// BalanceService reads what the organization can spend.
type BalanceService struct{ client *Client }

// EntryQuery selects entries. A zero field does not filter.
type EntryQuery struct {
	// How many a page has, 1 to 100; the service's default is 10, that of an iteration 100.
	Limit int `query:"limit"`
	// An id of this list: the page holds what comes after (older than) it. Not together with the other cursor.
	StartingAfter string `query:"starting_after"`
	// An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor.
	EndingBefore string `query:"ending_before"`
	// Created later than this time (RFC 3339).
	CreatedAfter time.Time `query:"created_after"`
	// Created earlier than this time (RFC 3339).
	CreatedBefore time.Time `query:"created_before"`
	// Only entries of this kind.
	Kind string `query:"kind"`
}

// Retrieve returns what the organization can spend in this environment, and the latest change.
func (service BalanceService) Retrieve(ctx context.Context, options ...CallOption) (*Balance, error) {
	return callPlain[Balance](ctx, service.client, retrieveBalance, nil, options)
}

// Entries returns all entries of the ledger in this environment, most recent first, each with the balance after it.
// Codes of its errors: cursor_invalid.
func (service BalanceService) Entries(
	ctx context.Context, query EntryQuery, options ...CallOption,
) (*Page[BalanceEntry], error) {
	return service.entries().page(ctx, valuesOf(query), options)
}

// AllEntries iterates over the items of all pages, and ends after an error. With EndingBefore it goes towards newer
// ones, oldest first.
func (service BalanceService) AllEntries(
	ctx context.Context, query EntryQuery, options ...CallOption,
) iter.Seq2[BalanceEntry, error] {
	return service.entries().all(ctx, valuesOf(query), options)
}

func (service BalanceService) entries() list[BalanceEntry] {
	idOf := func(entry BalanceEntry) string { return entry.EntryID }
	return list[BalanceEntry]{client: service.client, operation: listBalanceEntries, idOf: idOf}
}

// The values of Kind of BalanceEntry in this version. More may come.
const (
	EntryFunding    = "funding"
	EntryAdjustment = "adjustment"
	EntryOrder      = "order"
	EntryRefund     = "refund"
)

// BalanceEntry is a change of the balance. Entries are never changed.
type BalanceEntry struct {
	// Begins with led_.
	EntryID string `json:"entry_id"`
	// funding added money, adjustment is a correction, order paid for an order, refund returned a canceled gift's
	// amount. Known values: funding, adjustment, order, refund. More may come.
	Kind string `json:"kind"`
	// Cents; negative for a debit.
	Amount int64 `json:"amount"`
	// The balance after it, in cents.
	BalanceAfter int64 `json:"balance_after"`
	// The order that it paid for. Only with the kind order.
	OrderID string `json:"order_id,omitempty"`
	// The canceled gift. Only with the kind refund.
	GiftID string `json:"gift_id,omitempty"`
	// The operator's reference, if there is one.
	Reference string    `json:"reference,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// Balance is the balance of the organization in this environment.
type Balance struct {
	// What orders can spend now, in cents.
	Available int64 `json:"available"`
	// ISO 4217.
	Currency string `json:"currency"`
	// Nil before the first one.
	LastEntry *BalanceEntry `json:"last_entry,omitempty"`
}
