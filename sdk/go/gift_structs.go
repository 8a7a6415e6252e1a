// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import "time"

// GiftInput is a gift to buy and send.
type GiftInput struct {
	// The gift's value in cents. It must be a whole number of cents from 1000 to 50000.
	Amount int64 `json:"amount"`
	// The id of a category, from [CategoryService]. Of the category any, if the catalog has it, the recipient chooses
	// another one. It must be the id of a category of the catalog.
	Category string `json:"category"`
	// Made by [ByEmail], [ByPhone] or [ByLink].
	Delivery        DeliveryInput    `json:"delivery"`
	Personalization *Personalization `json:"personalization,omitempty"`
	// The language of the gift's page, email and text messages. Defaults to the organization's; then the page follows
	// the recipient's browser, and messages are in English. The recipient can choose another one on the page.
	Language string `json:"language,omitempty"`
	// Your own id for it. Several gifts may have the same. It must be 1 to 255 characters without line breaks or
	// control characters.
	ExternalID string `json:"external_id,omitempty"`
	// Your own data, not shown to recipients: up to 20 keys of 1 to 40 letters, digits, _, ., : or -, with texts of up
	// to 500 characters. Store no personal data here.
	Metadata map[string]string `json:"metadata,omitempty"`
	// When the gift is sent, at most 366 days ahead; nil sends it at once. A link gift has none.
	SendAt *time.Time `json:"send_at,omitempty"`
}

// The values of Method of GiftDelivery in this version. More may come.
const (
	MethodEmail = "email"
	MethodPhone = "phone"
	MethodLink  = "link"
)

// The values of Status of GiftDelivery in this version. More may come.
const (
	// GiftSent: on its way, delivered, a link, or waiting for the time in scheduled_for.
	GiftSent = "sent"
	// GiftFailed: it could not be delivered; redirect it.
	GiftFailed = "failed"
	GiftOpened = "opened"
	// GiftClaimed: redeemed onto a card, spent or not.
	GiftClaimed = "claimed"
)

// GiftDelivery is the gift's delivery method, address and status.
type GiftDelivery struct {
	// How the gift reaches its recipient. Known values: email, phone, link. More may come.
	Method string `json:"method"`
	// The furthest state that the gift has reached: sent (on its way, delivered, a link, or waiting for the time in
	// scheduled_for), failed (it could not be delivered; redirect it), opened, or claimed (redeemed onto a card, spent
	// or not). Known values: sent, failed, opened, claimed. More may come.
	Status string `json:"status"`
	// The address it is sent to. Only with the method email.
	Email string `json:"email,omitempty"`
	// The number it is sent to, in E.164. Only with the method phone.
	Phone string `json:"phone,omitempty"`
	// The redemption link. Only with the method link. A link is valid for 30 days, unless the operator has set another
	// time. Retrieving a single gift renews an expired link; lists do not.
	Link string `json:"link,omitempty"`
}

// GiftCancellation says that the gift is void, and what returned to the balance.
type GiftCancellation struct {
	// When the gift was canceled.
	CanceledAt time.Time `json:"canceled_at"`
	// The reason that was given; expired if the gift was not claimed in time.
	Reason string `json:"reason"`
	// The cents that returned to the balance.
	Refunded int64 `json:"refunded"`
}

// GiftOrder is the order of a gift.
type GiftOrder struct {
	// Begins with ord_.
	OrderID string `json:"order_id"`
	// Your own id, if it was given.
	ExternalID string `json:"external_id,omitempty"`
}

// GiftSpending is what was spent of the gift's card.
type GiftSpending struct {
	// The cents that are spent, less what shops gave back.
	Amount int64 `json:"amount"`
	// When the card last paid.
	LastAt *time.Time `json:"last_at"`
}

// The values of State of GiftHistory in this version. More may come.
const (
	// StateWaiting: it waits for its time.
	StateWaiting = "waiting"
	// StateSending: its message is on its way to a mail or text message provider.
	StateSending = "sending"
	// StateSent: a provider accepted its message, or the outbox keeps it as none is configured, or its link was handed
	// to you.
	StateSent = "sent"
	// StateDelivered: its message arrived.
	StateDelivered = "delivered"
	// StateFailed: its message could not be delivered.
	StateFailed = "failed"
	// StateOpened: the recipient opened it.
	StateOpened = "opened"
	// StateDeclined: the recipient said that they do not want it; they can still claim it.
	StateDeclined = "declined"
	// StateClaimed: it was redeemed onto a card, of which nothing is spent.
	StateClaimed = "claimed"
	// StatePartlySpent: a part of the card is spent.
	StatePartlySpent = "partly_spent"
	// StateSpent: the whole card is spent.
	StateSpent = "spent"
	// StateOnHold: it cannot be claimed, and its card cannot be seen.
	StateOnHold = "on_hold"
	// StateCanceled: it is void, and its value is back in the balance.
	StateCanceled = "canceled"
	// StateExpired: it was not claimed in time, and its value is back in the balance.
	StateExpired = "expired"
)

// GiftHistory is what happened to a gift, and when. A time is nil until it happened.
type GiftHistory struct {
	// What happened to the gift, in one word. waiting: it waits for its time. sending: its message is on its way to a
	// mail or text message provider. sent: a provider accepted its message, or the outbox keeps it as none is
	// configured, or its link was handed to you. delivered: its message arrived. failed: its message could not be
	// delivered. opened: the recipient opened it. declined: the recipient said that they do not want it; they can still
	// claim it. claimed: it was redeemed onto a card, of which nothing is spent. partly_spent: a part of the card is
	// spent. spent: the whole card is spent. on_hold: it cannot be claimed, and its card cannot be seen. canceled: it
	// is void, and its value is back in the balance. expired: it was not claimed in time, and its value is back in the
	// balance. Known values: waiting, sending, sent, delivered, failed, opened, declined, claimed, partly_spent, spent,
	// on_hold, canceled, expired. More may come.
	State string `json:"state"`
	// When it was ordered and paid for.
	OrderedAt time.Time `json:"ordered_at"`
	// When it is or was sent, if its order or a change said so.
	ScheduledFor *time.Time `json:"scheduled_for"`
	// When a provider accepted the latest message, or the link was handed to you.
	SentAt *time.Time `json:"sent_at"`
	// When a message last arrived. Opening the gift proves it, unless the message had failed.
	DeliveredAt *time.Time `json:"delivered_at"`
	// When the latest message failed for good, or the recipient was erased before the gift was claimed.
	FailedAt *time.Time       `json:"failed_at"`
	Failure  *DeliveryFailure `json:"failure"`
	// When the recipient first opened it.
	OpenedAt *time.Time `json:"opened_at"`
	// When it was redeemed onto a card.
	ClaimedAt *time.Time   `json:"claimed_at"`
	Spent     GiftSpending `json:"spent"`
	// When the recipient said that they do not want it.
	DeclinedAt *time.Time `json:"declined_at"`
	// When it became void, canceled or expired.
	CanceledAt *time.Time `json:"canceled_at"`
	// The reason that was given; expired if its time was over.
	CancelReason string `json:"cancel_reason"`
	// The cents that returned to the balance; 0 unless it is void.
	Refunded int64 `json:"refunded"`
	// When it becomes void unless it is claimed.
	ExpiresAt *time.Time `json:"expires_at"`
	// Since when it is on hold, by itself or with all gifts of the organization.
	HeldSince *time.Time `json:"held_since"`
	// When the address of the recipient was erased.
	ErasedAt *time.Time `json:"erased_at"`
}

// GiftMessage is a message about a gift.
type GiftMessage struct {
	// How it was sent. Known values: email, phone. More may come.
	Channel string `json:"channel"`
	// Where it was sent; empty if the recipient was erased.
	Address string `json:"address"`
	// What accepted it, such as smtp or twilio; outbox: kept, as none is configured.
	Provider string `json:"provider"`
	// How often it was handed to a provider.
	Tries int64 `json:"tries"`
	// How far it came. Known values: sending, sent, delivered, failed. More may come.
	State string `json:"state"`
	// When it was written.
	CreatedAt time.Time `json:"created_at"`
	// When a provider accepted it.
	SentAt *time.Time `json:"sent_at"`
	// When it arrived.
	DeliveredAt *time.Time `json:"delivered_at"`
	// When it failed for good.
	FailedAt *time.Time       `json:"failed_at"`
	Failure  *DeliveryFailure `json:"failure"`
	// Of a reminder: days after the order.
	ReminderDay *int64 `json:"reminder_day"`
}

// GiftCard is the card of a claimed gift, without its number or code.
type GiftCard struct {
	// A payment card, a code of a shop, or a link to what the issuer offers. Known values: card, code, link. More may
	// come.
	Kind string `json:"kind"`
	// The id of the category that it is for, chosen by the recipient or the sender.
	Category string `json:"category"`
	// The cents that are left on it.
	Left int64 `json:"left"`
}

// Gift is a gift that was bought.
type Gift struct {
	// Begins with gift_.
	GiftID string `json:"gift_id"`
	// The gift's value in cents.
	Amount int64 `json:"amount"`
	// The id of its category.
	Category string `json:"category"`
	// What the recipient chose for a gift of the category any, by its id.
	ChosenCategory  string          `json:"chosen_category,omitempty"`
	Delivery        GiftDelivery    `json:"delivery"`
	Personalization Personalization `json:"personalization"`
	// The language that the sender chose, if any.
	Language string `json:"language,omitempty"`
	// Your own id, if it was given.
	ExternalID string `json:"external_id,omitempty"`
	// Your own data, if it was given.
	Metadata map[string]string `json:"metadata,omitempty"`
	// When the gift is or was sent; nil if at once.
	ScheduledFor *time.Time `json:"scheduled_for,omitempty"`
	// Nil unless the gift is void.
	Cancellation *GiftCancellation `json:"cancellation,omitempty"`
	// Order, History, Deliveries and Card are nil unless [WithExpand] asks for them. Card is nil, too, until the gift
	// is claimed.
	Order   *GiftOrder   `json:"order,omitempty"`
	History *GiftHistory `json:"history,omitempty"`
	// The latest 50 messages about it, oldest first. Nil unless [WithExpand] asks for it.
	Deliveries []GiftMessage `json:"deliveries,omitempty"`
	Card       *GiftCard     `json:"card,omitempty"`
}

type scheduleInput struct {
	// When the gift is sent instead, at most 366 days ahead (RFC 3339). A time that has come, up to five minutes past,
	// sends it at once.
	SendAt time.Time `json:"send_at"`
}
