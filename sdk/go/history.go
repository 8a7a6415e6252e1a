package bestow

import "time"

// The states of gifts of this version, in [GiftHistory].
const (
	// StateWaiting: it waits for its time.
	StateWaiting = "waiting"
	// StateSending: its message is on its way to a provider.
	StateSending = "sending"
	// StateSent: a provider accepted its message, or its link was handed to you.
	StateSent = "sent"
	// StateDelivered: its message arrived.
	StateDelivered = "delivered"
	// StateFailed: its message could not be delivered.
	StateFailed = "failed"
	// StateOpened: the recipient opened it.
	StateOpened = "opened"
	// StateDeclined: the recipient does not want it, and can still claim it.
	StateDeclined = "declined"
	// StateClaimed: it was redeemed onto a card, of which nothing is spent.
	StateClaimed     = "claimed"
	StatePartlySpent = "partly_spent"
	StateSpent       = "spent"
	// StateOnHold: it cannot be claimed, and its card cannot be seen.
	StateOnHold = "on_hold"
	// StateCanceled: it is void, and its value is back in the balance.
	StateCanceled = "canceled"
	// StateExpired: as StateCanceled, because it was not claimed in time.
	StateExpired = "expired"
)

// GiftHistory is what happened to a gift, and when. A time is nil until it happened.
type GiftHistory struct {
	// State is such as StateDelivered.
	State        string     `json:"state"`
	OrderedAt    time.Time  `json:"ordered_at"`
	ScheduledFor *time.Time `json:"scheduled_for"`
	// SentAt is when a provider accepted the latest message, or the link was handed to you.
	SentAt *time.Time `json:"sent_at"`
	// DeliveredAt is when a message last arrived.
	DeliveredAt *time.Time `json:"delivered_at"`
	// FailedAt is when the latest message failed for good, or the recipient was erased; Failure says why.
	FailedAt  *time.Time       `json:"failed_at"`
	Failure   *DeliveryFailure `json:"failure"`
	OpenedAt  *time.Time       `json:"opened_at"`
	ClaimedAt *time.Time       `json:"claimed_at"`
	Spent     GiftSpending     `json:"spent"`
	// DeclinedAt is when the recipient said that they do not want it.
	DeclinedAt *time.Time `json:"declined_at"`
	// CanceledAt is when it became void, canceled or expired.
	CanceledAt   *time.Time `json:"canceled_at"`
	CancelReason string     `json:"cancel_reason"`
	// Refunded is the cents that returned to the balance; 0 unless it is void.
	Refunded int64 `json:"refunded"`
	// ExpiresAt is when it becomes void unless it is claimed.
	ExpiresAt *time.Time `json:"expires_at"`
	// HeldSince is nil unless the gift, or all gifts of the organization, are on hold.
	HeldSince *time.Time `json:"held_since"`
	// ErasedAt is when the address of the recipient was erased.
	ErasedAt *time.Time `json:"erased_at"`
}

// DeliveryFailure says why a message could not be delivered.
type DeliveryFailure struct {
	// Reason is bad_address, mailbox_full, unreachable, blocked, content_refused, given_up, not_sent, erased, refused or unknown.
	Reason string `json:"reason"`
	// Retryable says whether the same address may work later.
	Retryable bool `json:"retryable"`
	// ProviderMessage is the words of the provider or mail server; empty if it said nothing, as in the sandbox.
	ProviderMessage string `json:"provider_message"`
}

// GiftSpending is what was spent of a gift's card.
type GiftSpending struct {
	// Amount is in cents, less what shops gave back.
	Amount int64 `json:"amount"`
	// LastAt is when the card last paid; nil if never.
	LastAt *time.Time `json:"last_at"`
}

// GiftMessage is a message about a gift.
type GiftMessage struct {
	// Channel is email or phone.
	Channel string `json:"channel"`
	// Address is empty if the recipient was erased.
	Address string `json:"address"`
	// Provider accepted it, such as smtp or twilio; outbox: kept, as none is configured.
	Provider string `json:"provider"`
	// Tries is how often it was handed to a provider.
	Tries int64 `json:"tries"`
	// State is StateSending, StateSent, StateDelivered or StateFailed.
	State       string           `json:"state"`
	CreatedAt   time.Time        `json:"created_at"`
	SentAt      *time.Time       `json:"sent_at"`
	DeliveredAt *time.Time       `json:"delivered_at"`
	FailedAt    *time.Time       `json:"failed_at"`
	Failure     *DeliveryFailure `json:"failure"`
	// ReminderDay is the days after the order of a reminder; nil if it is none.
	ReminderDay *int64 `json:"reminder_day"`
}

// GiftOrder is the order of a gift.
type GiftOrder struct {
	OrderID    string `json:"order_id"`
	ExternalID string `json:"external_id,omitempty"`
}

// GiftCard is the card of a claimed gift, without its number or code.
type GiftCard struct {
	// Kind is card, code or link.
	Kind string `json:"kind"`
	// Category is what it is for, chosen by the recipient or the sender.
	Category string `json:"category"`
	// Left is in cents.
	Left int64 `json:"left"`
}

// OrderHistory is who ordered, when, and what became of the gifts.
type OrderHistory struct {
	CreatedAt time.Time `json:"created_at"`
	// Amount is in cents.
	Amount int64 `json:"amount"`
	// Currency is ISO 4217.
	Currency  string    `json:"currency"`
	OrderedBy OrderedBy `json:"ordered_by"`
	// GiftsByState is how many gifts are in each state.
	GiftsByState map[string]int64 `json:"gifts_by_state"`
}

// OrderedBy is who or what placed an order.
type OrderedBy struct {
	// Kind is key, agent, member, file or rule.
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// Name is empty for a file or rule.
	Name string `json:"name"`
}
