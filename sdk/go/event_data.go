package bestow

import (
	"bytes"
	"encoding/json"
	"time"
)

// The types of events of this version. More may come.
const (
	// EventOrderCreated: an order was placed and paid for.
	EventOrderCreated = "order.created"
	// EventOrderProcessed: every gift of a processing order exists now.
	EventOrderProcessed = "order.processed"
	// EventOrderCanceled: every unclaimed gift of an order was canceled.
	EventOrderCanceled = "order.canceled"
	// EventOrderRequestApproved: an admin approved the order of an agent, which is placed.
	EventOrderRequestApproved = "order_request.approved"
	// EventOrderRequestDeclined: an admin declined the order of an agent.
	EventOrderRequestDeclined = "order_request.declined"
	// EventOrderRequestExpired: no admin decided on the order of an agent for 30 days.
	EventOrderRequestExpired = "order_request.expired"
	// EventGiftSent: a provider accepted the gift's message.
	EventGiftSent = "gift.sent"
	// EventGiftDelivered: the gift's message arrived.
	EventGiftDelivered = "gift.delivered"
	// EventGiftDeliveryFailed: the gift's message could not be delivered.
	EventGiftDeliveryFailed = "gift.delivery_failed"
	// EventGiftRedirected: another address, replaced links, or sent once more; see Reason.
	EventGiftRedirected = "gift.redirected"
	// EventGiftOpened: the recipient opened the gift.
	EventGiftOpened = "gift.opened"
	// EventGiftClaimed: the recipient redeemed the gift onto a card.
	EventGiftClaimed = "gift.claimed"
	// EventGiftSpent: the recipient paid with the card.
	EventGiftSpent = "gift.spent"
	// EventGiftHeld: the gift was put on hold. No one can claim it or see its card.
	EventGiftHeld = "gift.held"
	// EventGiftReleased: the hold of the gift ended.
	EventGiftReleased = "gift.released"
	// EventGiftThanked: the recipient wrote a thank-you note.
	EventGiftThanked = "gift.thanked"
	// EventGiftDeclined: the recipient does not want the gift, and can still claim it.
	EventGiftDeclined = "gift.declined"
	// EventGiftCanceled: the gift is void, and its value is back in the balance.
	EventGiftCanceled = "gift.canceled"
	// EventGiftExpired: the gift was not claimed in time, and its value is back in the balance.
	EventGiftExpired = "gift.expired"
	// EventBalanceFunded: funds were added to the balance, or it was adjusted.
	EventBalanceFunded = "balance.funded"
	// EventBalanceLow: the balance fell below the threshold of its alert.
	EventBalanceLow = "balance.low"
	// EventKeyCreated: an API key was created.
	EventKeyCreated = "key.created"
	// EventKeyRevoked: an API key was revoked.
	EventKeyRevoked = "key.revoked"
	// EventOrganizationSuspended: the operator suspended the organization.
	EventOrganizationSuspended = "organization.suspended"
	// EventOrganizationReinstated: the operator ended the suspension. Gifts on hold stay on hold.
	EventOrganizationReinstated = "organization.reinstated"
	// EventOrganizationGiftsHeld: all unclaimed gifts were put on hold. Until they are released, orders are refused.
	EventOrganizationGiftsHeld = "organization.gifts_held"
	// EventOrganizationGiftsReleased: the hold of all gifts ended. Gifts that were held one by one stay on hold.
	EventOrganizationGiftsReleased = "organization.gifts_released"
	// EventDatabaseRestored: the operator restored the database to an earlier time. Later events never happened.
	EventDatabaseRestored = "database.restored"
	// EventSandboxReset: everything in the sandbox was deleted, also its earlier events.
	EventSandboxReset = "sandbox.reset"
	// EventWebhookTest tries an endpoint. It is not in the feed.
	EventWebhookTest = "webhook.test"
)

// EventData has the ids of what an event is about, and what changed. Which fields are set depends on the event's type.
type EventData struct {
	// OrderID is also set for events about gifts of the order.
	OrderID string `json:"order_id,omitempty"`
	GiftID  string `json:"gift_id,omitempty"`
	// OrderRequestID of order_request events is as the agent's tool returned it.
	OrderRequestID string `json:"order_request_id,omitempty"`
	// Status of EventOrderCreated and EventOrderProcessed.
	Status string `json:"status,omitempty"`
	// Delivery of most events of gifts has the status, as the gift shows it.
	Delivery *EventDelivery `json:"delivery,omitempty"`
	// Reason of EventGiftRedirected is redirected, link_replaced or resent.
	Reason string `json:"reason,omitempty"`
	// Purchase of EventGiftSpent.
	Purchase *Purchase `json:"purchase,omitempty"`
	// Cancellation of EventGiftCanceled, EventGiftExpired and EventOrderCanceled.
	Cancellation *GiftCancellation `json:"cancellation,omitempty"`
	// EntryID of EventBalanceFunded.
	EntryID string `json:"entry_id,omitempty"`
	// Kind of EventBalanceFunded is EntryFunding or EntryAdjustment.
	Kind string `json:"kind,omitempty"`
	// Amount of EventBalanceFunded, in cents.
	Amount int64 `json:"amount,omitempty"`
	// Balance of EventBalanceFunded and EventBalanceLow, in cents.
	Balance int64 `json:"balance,omitempty"`
	// Threshold of EventBalanceLow, in cents.
	Threshold int64 `json:"threshold,omitempty"`
	// KeyID of EventKeyCreated and EventKeyRevoked.
	KeyID string `json:"key_id,omitempty"`
	// RestoredTo of EventDatabaseRestored.
	RestoredTo *time.Time `json:"restored_to,omitempty"`
	// LastSequence of EventDatabaseRestored is the last event before the restore.
	LastSequence int64 `json:"last_sequence,omitempty"`
	// Raw is the JSON of the data, for what has no field here.
	Raw json.RawMessage `json:"-"`
}

// EventDelivery is how far a gift came.
type EventDelivery struct {
	// Status is such as GiftClaimed.
	Status string `json:"status"`
}

// Purchase is what a recipient paid with a gift's card.
type Purchase struct {
	// Amount is in cents.
	Amount int64 `json:"amount"`
	// AmountLeft on the card is in cents.
	AmountLeft int64 `json:"amount_left"`
}

// UnmarshalJSON keeps the data also in Raw. A member whose form is another one is only there.
func (data *EventData) UnmarshalJSON(raw []byte) error {
	type fields EventData
	var read fields
	// Data of a later version must not hide the event.
	_ = json.Unmarshal(raw, &read)
	*data = EventData(read)
	data.Raw = bytes.Clone(raw)
	return nil
}

// MarshalJSON writes Raw if it is set.
func (data EventData) MarshalJSON() ([]byte, error) {
	if data.Raw != nil {
		return data.Raw, nil
	}
	type fields EventData
	return json.Marshal(fields(data))
}
