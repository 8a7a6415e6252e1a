// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import (
	"context"
	"iter"
	"time"
)

// OrderService places and reads orders.
type OrderService struct{ client *Client }

// OrderQuery selects orders. A zero field does not filter.
type OrderQuery struct {
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
	// Only gifts with this method.
	DeliveryMethod string `query:"delivery_method"`
	// Only gifts to this email address or phone number, in any spelling that an order takes.
	Recipient string `query:"recipient"`
	// Only gifts of this category.
	Category string `query:"category"`
	// Only this external_id.
	ExternalID string `query:"external_id"`
	// As metadata[key]=value: only those with this pair. It can be repeated with other keys.
	Metadata map[string]string `query:"metadata"`
	// Only these orders.
	Status string `query:"status"`
	// Only gifts ordered later than this time (RFC 3339).
	OrderedAfter time.Time `query:"ordered_after"`
	// Only gifts ordered earlier than this time (RFC 3339).
	OrderedBefore time.Time `query:"ordered_before"`
	// Only gifts delivered later than this time (RFC 3339).
	DeliveredAfter time.Time `query:"delivered_after"`
	// Only gifts delivered earlier than this time (RFC 3339).
	DeliveredBefore time.Time `query:"delivered_before"`
	// Only gifts opened later than this time (RFC 3339).
	OpenedAfter time.Time `query:"opened_after"`
	// Only gifts opened earlier than this time (RFC 3339).
	OpenedBefore time.Time `query:"opened_before"`
	// Only gifts claimed later than this time (RFC 3339).
	ClaimedAfter time.Time `query:"claimed_after"`
	// Only gifts claimed earlier than this time (RFC 3339).
	ClaimedBefore time.Time `query:"claimed_before"`
	// Only gifts with this state of their history.
	State string `query:"state"`
}

// List returns all paid orders of the organization in this environment, most recent first. A client that polls with
// EndingBefore never misses an order. Codes of its errors: cursor_invalid.
func (service OrderService) List(ctx context.Context, query OrderQuery, options ...CallOption) (*Page[Order], error) {
	return service.list().page(ctx, valuesOf(query), options)
}

// All iterates over the items of all pages, and ends after an error. With EndingBefore it goes towards newer ones,
// oldest first.
func (service OrderService) All(ctx context.Context, query OrderQuery, options ...CallOption) iter.Seq2[Order, error] {
	return service.list().all(ctx, valuesOf(query), options)
}

func (service OrderService) list() list[Order] {
	idOf := func(order Order) string { return order.OrderID }
	return list[Order]{client: service.client, operation: listOrders, idOf: idOf}
}

// Cancel takes every unclaimed gift of the order back in one step, as when each is canceled. Gifts that a processing
// order has not created yet are canceled too, and the order is processed. Claimed gifts stay as they are. Canceling it
// again changes nothing. Codes of its errors: resource_missing, gift_already_redeemed.
func (service OrderService) Cancel(
	ctx context.Context, orderID string, input CancelInput, options ...CallOption,
) (*Order, error) {
	return callPath[Order](ctx, service.client, cancelOrder, []string{orderID}, input, options)
}

// Retrieve returns one order with its gifts, in submission order. Codes of its errors: resource_missing.
func (service OrderService) Retrieve(ctx context.Context, orderID string, options ...CallOption) (*Order, error) {
	return callPath[Order](ctx, service.client, retrieveOrder, []string{orderID}, nil, options)
}

// DeliveryInput says how a gift reaches its recipient; see [ByEmail], [ByPhone] and [ByLink].
type DeliveryInput struct {
	Method string `json:"method"`
	Email  string `json:"email,omitempty"`
	Phone  string `json:"phone,omitempty"`
}

// Personalization holds the names and the message that the recipient sees.
type Personalization struct {
	// The recipient's name; shown to them. It must be 1 to 200 characters without line breaks or control characters.
	RecipientName string `json:"recipient_name,omitempty"`
	// The sender's name. Defaults to the organization's name. It must be 1 to 200 characters without line breaks or
	// control characters.
	SenderName string `json:"sender_name,omitempty"`
	// What the sender writes to the recipient, as plain text with line breaks. No address in it becomes a link. It must
	// be 1 to 500 characters, without control characters except line breaks.
	Message string `json:"message,omitempty"`
}

// OrderInput is an order of 1 to 10 gifts.
type OrderInput struct {
	// The gifts, 1 to 10. They are charged together, in one debit.
	Gifts []GiftInput `json:"gifts"`
	// Your own id for it. A second order with it is refused. It must be 1 to 255 characters without line breaks or
	// control characters.
	ExternalID string `json:"external_id,omitempty"`
	// Your own data, not shown to recipients: up to 20 keys of 1 to 40 letters, digits, _, ., : or -, with texts of up
	// to 500 characters. Store no personal data here.
	Metadata map[string]string `json:"metadata,omitempty"`
}

// DeliveryFailure is why a message could not be delivered.
type DeliveryFailure struct {
	// Why, in one word. Known values: bad_address, mailbox_full, unreachable, blocked, content_refused, given_up,
	// not_sent, erased, refused, unknown. More may come.
	Reason string `json:"reason"`
	// Whether the same address may work later.
	Retryable bool `json:"retryable"`
	// The words of the provider or mail server, without the address; empty if it said nothing, as in the sandbox.
	ProviderMessage string `json:"provider_message"`
}

// OrderedBy is who or what placed an order.
type OrderedBy struct {
	// An API key, an agent, a member in the portal, a file of gifts, or a rule of yearly gifts. Known values: key,
	// agent, member, file, rule. More may come.
	Kind string `json:"kind"`
	// The id of the key, grant, member, file or rule.
	ID string `json:"id"`
	// The name of the key or grant, the address of the member; empty of a file or rule.
	Name string `json:"name"`
}

// OrderHistory is who ordered, when and what became of the gifts.
type OrderHistory struct {
	// When it was placed and paid for.
	CreatedAt time.Time `json:"created_at"`
	// The cents that it cost.
	Amount int64 `json:"amount"`
	// ISO 4217.
	Currency  string    `json:"currency"`
	OrderedBy OrderedBy `json:"ordered_by"`
	// How many of its gifts are in each state of their history; only states that one has. Gifts that a processing order
	// has not created yet are in none.
	GiftsByState map[string]int64 `json:"gifts_by_state"`
}

// The values of Status of Order in this version. More may come.
const (
	// OrderProcessing: paid for; the remaining gifts are created soon.
	OrderProcessing = "processing"
	// OrderProcessed: every gift exists.
	OrderProcessed = "processed"
)

// Order is an order that was paid for.
type Order struct {
	// Begins with ord_.
	OrderID string `json:"order_id"`
	// processed: every gift exists. processing: paid for; the remaining gifts are created soon. Known values:
	// processing, processed. More may come.
	Status string `json:"status"`
	// In submission order: the Nth gift returned is the Nth gift sent.
	Gifts []Gift `json:"gifts"`
	// Your own id, if it was given.
	ExternalID string `json:"external_id,omitempty"`
	// Your own data, if it was given.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Nil unless [WithExpand] asks for it.
	History *OrderHistory `json:"history,omitempty"`
}

// CancelInput is why gifts are canceled.
type CancelInput struct {
	// Why it is canceled; not shown to the recipient. It must be 1 to 200 characters without line breaks or control
	// characters.
	Reason string `json:"reason,omitempty"`
}
