// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import (
	"context"
	"iter"
	"time"
)

// GiftService reads and changes gifts.
type GiftService struct{ client *Client }

// GiftQuery selects gifts. A zero field does not filter.
type GiftQuery struct {
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
	// Only gifts with this delivery.status that were not canceled and do not wait to be sent; canceled and scheduled:
	// only those that were, or do.
	Status string `query:"status"`
	// Only the gifts of this order.
	OrderID string `query:"order_id"`
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

// List returns all gifts of the organization in this environment, most recent purchase first. While an order is
// processing, its later gifts are not there yet; they come at the place of their purchase, so that a client that polls
// with EndingBefore may miss them: poll the orders. Lists also show expired redemption links; retrieve a single gift to
// renew its link. Codes of its errors: cursor_invalid.
func (service GiftService) List(ctx context.Context, query GiftQuery, options ...CallOption) (*Page[Gift], error) {
	return service.list().page(ctx, valuesOf(query), options)
}

// All iterates over the items of all pages, and ends after an error. With EndingBefore it goes towards newer ones,
// oldest first.
func (service GiftService) All(ctx context.Context, query GiftQuery, options ...CallOption) iter.Seq2[Gift, error] {
	return service.list().all(ctx, valuesOf(query), options)
}

func (service GiftService) list() list[Gift] {
	idOf := func(gift Gift) string { return gift.GiftID }
	return list[Gift]{client: service.client, operation: listGifts, idOf: idOf}
}

// Retrieve returns one gift and its status. An expired link of a link gift is renewed. Codes of its errors:
// resource_missing.
func (service GiftService) Retrieve(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, retrieveGift, []string{giftID}, nil, options)
}

// Redirect sends a gift whose delivery failed to a different address, or changes the address of a gift that is not sent
// yet. Links in earlier messages stop working, because the wrong person may have them. A gift can be redirected five
// times, unless the operator has set another number. The request can be repeated: with the same Idempotency-Key, or to
// the address to which a message is under way since a redirect, it changes nothing. In the sandbox the new address
// steers the gift, as in an order. Codes of its errors: insufficient_balance, resource_missing,
// gift_resend_limit_reached, gift_delivery_not_updatable.
func (service GiftService) Redirect(
	ctx context.Context, giftID string, delivery DeliveryInput, options ...CallOption,
) (*Gift, error) {
	return callPath[Gift](ctx, service.client, redirectGift, []string{giftID}, delivery, options)
}

// ReplaceLink ends all links of an unclaimed gift, because someone else may have them. The answer has the new link of a
// link gift; an email or phone gift is sent again to its address. It counts as a redirect. Each call replaces the link
// again. Codes of its errors: resource_missing, gift_already_redeemed, gift_resend_limit_reached,
// gift_delivery_not_updatable, gift_canceled, gift_scheduled, gift_on_hold.
func (service GiftService) ReplaceLink(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, replaceGiftLink, []string{giftID}, nil, options)
}

// Resend sends an unclaimed email or phone gift once more to its address. Earlier links stay valid. It counts as a
// redirect. In the sandbox the address steers the delivery. Codes of its errors: resource_missing,
// gift_already_redeemed, gift_resend_limit_reached, gift_delivery_not_updatable, gift_canceled, gift_scheduled,
// gift_on_hold.
func (service GiftService) Resend(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, resendGift, []string{giftID}, nil, options)
}

// Cancel takes an unclaimed gift back, also one on hold. Its links end, its message is not sent if it still waits, and
// its amount returns to the balance. Canceling it again changes nothing. It cannot be undone. Codes of its errors:
// resource_missing, gift_already_redeemed.
func (service GiftService) Cancel(
	ctx context.Context, giftID string, input CancelInput, options ...CallOption,
) (*Gift, error) {
	return callPath[Gift](ctx, service.client, cancelGift, []string{giftID}, input, options)
}

// Schedule changes the time of a gift that was ordered with send_at, until it is sent. A time that has come sends it at
// once. The days until it expires and until reminders count from the new time. Codes of its errors: resource_missing,
// gift_already_redeemed, gift_canceled, gift_not_scheduled, gift_on_hold.
func (service GiftService) Schedule(
	ctx context.Context, giftID string, sendAt time.Time, options ...CallOption,
) (*Gift, error) {
	input := scheduleInput{SendAt: sendAt}
	return callPath[Gift](ctx, service.client, scheduleGift, []string{giftID}, input, options)
}
