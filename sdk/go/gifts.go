package bestow

import (
	"context"
	"iter"
	"time"
)

// GiftService reads and changes gifts.
type GiftService struct{ client *Client }

// GiftInput is a gift to buy and send.
type GiftInput struct {
	// Amount is in cents, 1,000 to 50,000.
	Amount int64 `json:"amount"`
	// Category is an id of the catalog, such as coffee.
	Category string `json:"category"`
	// Delivery is made by [ByEmail], [ByPhone] or [ByLink].
	Delivery        DeliveryInput    `json:"delivery"`
	Personalization *Personalization `json:"personalization,omitempty"`
	// Language of the gift's page and messages, such as de; the organization's by default.
	Language string `json:"language,omitempty"`
	// ExternalID is your own id; several gifts may have the same.
	ExternalID string `json:"external_id,omitempty"`
	// Metadata is your own data, not shown to recipients. Store no personal data in it.
	Metadata map[string]string `json:"metadata,omitempty"`
	// SendAt is when the gift is sent, at most 366 days ahead; nil sends it at once. A link gift has none.
	SendAt *time.Time `json:"send_at,omitempty"`
}

// The delivery methods of this version.
const (
	MethodEmail = "email"
	MethodPhone = "phone"
	MethodLink  = "link"
)

// DeliveryInput says how a gift reaches its recipient; see [ByEmail], [ByPhone] and [ByLink].
type DeliveryInput struct {
	Method string `json:"method"`
	Email  string `json:"email,omitempty"`
	Phone  string `json:"phone,omitempty"`
}

// Personalization holds what the recipient sees.
type Personalization struct {
	RecipientName string `json:"recipient_name,omitempty"`
	// SenderName is the organization's name by default.
	SenderName string `json:"sender_name,omitempty"`
	// Message is plain text with line breaks, at most 500 characters.
	Message string `json:"message,omitempty"`
}

// Gift is a gift that was bought.
type Gift struct {
	GiftID string `json:"gift_id"`
	// Amount is in cents.
	Amount   int64  `json:"amount"`
	Category string `json:"category"`
	// ChosenCategory is what the recipient chose for a gift of the category any.
	ChosenCategory  string            `json:"chosen_category,omitempty"`
	Delivery        GiftDelivery      `json:"delivery"`
	Personalization Personalization   `json:"personalization"`
	Language        string            `json:"language,omitempty"`
	ExternalID      string            `json:"external_id,omitempty"`
	Metadata        map[string]string `json:"metadata,omitempty"`
	// ScheduledFor is when the gift is or was sent; nil if at once.
	ScheduledFor *time.Time `json:"scheduled_for,omitempty"`
	// Cancellation is nil unless the gift is void.
	Cancellation *GiftCancellation `json:"cancellation,omitempty"`
	// Order, History, Deliveries and Card are nil unless [WithExpand] asks for them. Card is nil, too, until the gift is claimed.
	Order      *GiftOrder    `json:"order,omitempty"`
	History    *GiftHistory  `json:"history,omitempty"`
	Deliveries []GiftMessage `json:"deliveries,omitempty"`
	Card       *GiftCard     `json:"card,omitempty"`
}

// The statuses of gifts of this version.
const (
	// GiftSent: on its way, delivered, a link, or waiting for its time.
	GiftSent = "sent"
	// GiftFailed: it could not be delivered; redirect it.
	GiftFailed  = "failed"
	GiftOpened  = "opened"
	GiftClaimed = "claimed"
)

// GiftDelivery is how a gift reaches its recipient, and how far it came.
type GiftDelivery struct {
	Method string `json:"method"`
	// Status is the furthest state, such as GiftOpened.
	Status string `json:"status"`
	Email  string `json:"email,omitempty"`
	Phone  string `json:"phone,omitempty"`
	// Link of a link gift expires; Retrieve renews it, lists do not.
	Link string `json:"link,omitempty"`
}

// GiftCancellation says that a gift is void.
type GiftCancellation struct {
	CanceledAt time.Time `json:"canceled_at"`
	// Reason is what was given, or expired if the gift was not claimed in time.
	Reason string `json:"reason"`
	// Refunded is the cents that returned to the balance.
	Refunded int64 `json:"refunded"`
}

// GiftQuery selects gifts. A zero field does not filter.
type GiftQuery struct {
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
	OrderID         string            `query:"order_id"`
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

// Retrieve renews the link of a link gift if it has expired. It returns CodeResourceMissing if there is no such gift.
func (service GiftService) Retrieve(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, retrieveGift, []string{giftID}, nil, options)
}

// List returns one page, newest purchase first.
func (service GiftService) List(ctx context.Context, query GiftQuery, options ...CallOption) (*Page[Gift], error) {
	return service.list().page(ctx, valuesOf(query), options)
}

// All iterates over all gifts, newest purchase first; with EndingBefore over those bought since, oldest first. It ends
// after an error.
func (service GiftService) All(ctx context.Context, query GiftQuery, options ...CallOption) iter.Seq2[Gift, error] {
	return service.list().all(ctx, valuesOf(query), options)
}

func (service GiftService) list() list[Gift] {
	return list[Gift]{client: service.client, operation: listGifts, idOf: func(gift Gift) string { return gift.GiftID }}
}

// Redirect sends a gift whose delivery failed to another address. All attempts carry one idempotency key. It returns CodeGiftDeliveryNotUpdatable or CodeGiftResendLimitReached.
func (service GiftService) Redirect(
	ctx context.Context, giftID string, delivery DeliveryInput, options ...CallOption,
) (*Gift, error) {
	return callPath[Gift](ctx, service.client, redirectGift, []string{giftID}, delivery, options)
}

// ReplaceLink ends all links of an unclaimed gift. A link gift has its new link in the answer; another gift is sent again.
// It counts as a redirect.
func (service GiftService) ReplaceLink(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, replaceGiftLink, []string{giftID}, nil, options)
}

// Resend sends an unclaimed gift once more to its address. Earlier links stay valid. It counts as a redirect.
func (service GiftService) Resend(ctx context.Context, giftID string, options ...CallOption) (*Gift, error) {
	return callPath[Gift](ctx, service.client, resendGift, []string{giftID}, nil, options)
}

// Schedule changes when a waiting gift is sent. A time that has come sends it now.
func (service GiftService) Schedule(
	ctx context.Context, giftID string, sendAt time.Time, options ...CallOption,
) (*Gift, error) {
	input := scheduleInput{SendAt: sendAt}
	return callPath[Gift](ctx, service.client, scheduleGift, []string{giftID}, input, options)
}

type scheduleInput struct {
	SendAt time.Time `json:"send_at"`
}

// Cancel takes an unclaimed gift back and returns its amount to the balance. Canceling again changes nothing. It returns
// CodeGiftAlreadyRedeemed if the gift is claimed.
func (service GiftService) Cancel(
	ctx context.Context, giftID string, input CancelInput, options ...CallOption,
) (*Gift, error) {
	return callPath[Gift](ctx, service.client, cancelGift, []string{giftID}, input, options)
}
