package bestow

import (
	"context"
	"iter"
	"time"
)

// OrderService places and reads orders.
type OrderService struct{ client *Client }

// OrderInput is an order to place.
type OrderInput struct {
	// Gifts are 1 to 10 gifts, which are charged together.
	Gifts []GiftInput `json:"gifts"`
	// ExternalID is your own id. A second order with it is refused with CodeExternalIDTaken.
	ExternalID string `json:"external_id,omitempty"`
	// Metadata is your own data, not shown to recipients. Store no personal data in it.
	Metadata map[string]string `json:"metadata,omitempty"`
}

// The statuses of orders of this version.
const (
	// OrderProcessed: every gift exists.
	OrderProcessed = "processed"
	// OrderProcessing: paid for; the remaining gifts are created soon.
	OrderProcessing = "processing"
)

// Order is an order that was paid for.
type Order struct {
	OrderID string `json:"order_id"`
	// Status is such as OrderProcessed.
	Status string `json:"status"`
	// Gifts are in the order in which they were sent.
	Gifts      []Gift            `json:"gifts"`
	ExternalID string            `json:"external_id,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
	// History is nil unless [WithExpand] asks for it.
	History *OrderHistory `json:"history,omitempty"`
}

// OrderQuery selects orders. A zero field does not filter.
type OrderQuery struct {
	// Limit is how many a page has, 1 to 100; the service's default is 10, that of an iteration 100.
	Limit int `query:"limit"`
	// StartingAfter is the id after which (older than which) the list begins.
	StartingAfter string `query:"starting_after"`
	// EndingBefore is the id from which the list goes towards newer items.
	EndingBefore    string            `query:"ending_before"`
	CreatedAfter    time.Time         `query:"created_after"`
	CreatedBefore   time.Time         `query:"created_before"`
	DeliveryMethod  string            `query:"delivery_method"`
	Recipient       string            `query:"recipient"`
	Category        string            `query:"category"`
	ExternalID      string            `query:"external_id"`
	Metadata        map[string]string `query:"metadata"`
	Status          string            `query:"status"`
	OrderedAfter    time.Time         `query:"ordered_after"`
	OrderedBefore   time.Time         `query:"ordered_before"`
	DeliveredAfter  time.Time         `query:"delivered_after"`
	DeliveredBefore time.Time         `query:"delivered_before"`
	OpenedAfter     time.Time         `query:"opened_after"`
	OpenedBefore    time.Time         `query:"opened_before"`
	ClaimedAfter    time.Time         `query:"claimed_after"`
	ClaimedBefore   time.Time         `query:"claimed_before"`
	// State is the state of a gift's history, such as StateDelivered.
	State string `query:"state"`
}

// CancelInput says why gifts are canceled.
type CancelInput struct {
	// Reason has at most 200 characters, and is not shown to the recipient.
	Reason string `json:"reason,omitempty"`
}

// Retrieve returns CodeResourceMissing if there is no such order.
func (service OrderService) Retrieve(ctx context.Context, orderID string, options ...CallOption) (*Order, error) {
	return callPath[Order](ctx, service.client, retrieveOrder, []string{orderID}, nil, options)
}

// Cancel takes every unclaimed gift of the order back and returns its amount to the balance. Canceling again changes
// nothing. It returns CodeGiftAlreadyRedeemed if every gift is claimed.
func (service OrderService) Cancel(
	ctx context.Context, orderID string, input CancelInput, options ...CallOption,
) (*Order, error) {
	return callPath[Order](ctx, service.client, cancelOrder, []string{orderID}, input, options)
}

// List returns one page, newest first.
func (service OrderService) List(ctx context.Context, query OrderQuery, options ...CallOption) (*Page[Order], error) {
	return service.list().page(ctx, valuesOf(query), options)
}

// All iterates over all orders, newest first; with EndingBefore over those placed since, oldest first. It ends after an
// error.
func (service OrderService) All(ctx context.Context, query OrderQuery, options ...CallOption) iter.Seq2[Order, error] {
	return service.list().all(ctx, valuesOf(query), options)
}

func (service OrderService) list() list[Order] {
	return list[Order]{client: service.client, operation: listOrders, idOf: func(order Order) string { return order.OrderID }}
}
