package bestowtest

import (
	"maps"
	"time"
)

const linkLasts = 30 * 24 * time.Hour

// steps is how far an address takes its gift.
var steps = map[string]int{"delivered": 1, "opened": 2, "claimed": 3, "spent": 4}

func addressOf(delivery map[string]string) string { return delivery["email"] + delivery["phone"] }

func (one *gift) isLink() bool { return one.delivery["method"] == "link" }

func (one *gift) status() string {
	switch {
	case one.claimedAt != "":
		return "claimed"
	case one.openedAt != "":
		return "opened"
	case one.failedAt != "":
		return "failed"
	}
	return "sent"
}

func (one *gift) state() string {
	switch {
	case one.canceledAt != "":
		return "canceled"
	case one.spentAt != "":
		return "spent"
	case one.sentAt == "":
		return "waiting"
	case one.status() == "sent" && one.deliveredAt != "":
		return "delivered"
	}
	return one.status()
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (one *gift) history() object {
	var spent, refunded int64
	var failure any
	if one.spentAt != "" {
		spent = one.amount
	}
	if one.canceledAt != "" {
		refunded = one.amount
	}
	if one.failedAt != "" {
		failure = object{"reason": "unknown", "retryable": false, "provider_message": nil}
	}
	return object{
		"state": one.state(), "ordered_at": one.orderedAt, "scheduled_for": orNull(one.scheduledFor),
		"sent_at": orNull(one.sentAt), "delivered_at": orNull(one.deliveredAt), "failed_at": orNull(one.failedAt),
		"failure": failure, "opened_at": orNull(one.openedAt), "claimed_at": orNull(one.claimedAt),
		"spent":       object{"amount": spent, "last_at": orNull(one.spentAt)},
		"declined_at": nil, "canceled_at": orNull(one.canceledAt), "cancel_reason": one.cancelReason,
		"refunded": refunded, "expires_at": nil, "held_since": nil, "erased_at": nil,
	}
}

func (one *gift) cancellation() object {
	return object{"canceled_at": one.canceledAt, "reason": one.cancelReason, "refunded": one.amount}
}

// present returns the gift as answers show it.
func (one *gift) present(hasHistory bool) object {
	delivery := object{"status": one.status()}
	for name, text := range one.delivery {
		delivery[name] = text
	}
	shown := object{
		"gift_id": one.id, "amount": one.amount, "category": one.category, "delivery": delivery,
		"personalization": one.personalization,
	}
	maps.Copy(shown, one.references)
	if one.scheduledFor != "" {
		shown["scheduled_for"] = one.scheduledFor
	}
	if one.canceledAt != "" {
		shown["cancellation"] = one.cancellation()
	}
	if hasHistory {
		shown["history"] = one.history()
	}
	return shown
}

func (kept *memory) emitOf(kind string, one *gift, part object) {
	data := object{"order_id": one.orderID, "gift_id": one.id}
	maps.Copy(data, part)
	kept.emit(kind, data)
}

func (kept *memory) emitDelivery(kind string, one *gift) {
	kept.emitOf(kind, one, object{"delivery": object{"status": one.status()}})
}

// settle settles the delivery as delivered or failed.
func (kept *memory) settle(one *gift, outcome string) {
	one.isPending = false
	if outcome == "failed" {
		one.failedAt = kept.now()
		kept.emitDelivery("gift.delivery_failed", one)
		return
	}
	one.failedAt, one.deliveredAt = "", kept.now()
	kept.emitDelivery("gift.delivered", one)
}

func (kept *memory) open(one *gift) {
	if one.openedAt == "" {
		if one.isPending {
			kept.settle(one, "delivered")
		}
		one.openedAt = kept.now()
		kept.emitDelivery("gift.opened", one)
	}
}

func (kept *memory) claim(one *gift) {
	kept.open(one)
	one.claimedAt = kept.now()
	kept.emitDelivery("gift.claimed", one)
}

func (kept *memory) spend(one *gift) {
	if one.spentAt == "" {
		one.spentAt = kept.now()
		kept.emitOf("gift.spent", one, object{"purchase": object{"amount": one.amount, "amount_left": 0}})
	}
}

func (kept *memory) cancel(one *gift, reason any) {
	one.canceledAt, one.cancelReason = kept.now(), reason
	kept.post("refund", one.amount, object{"gift_id": one.id})
	kept.emitOf("gift.canceled", one, object{"cancellation": one.cancellation()})
}

// sendAgain sends the gift once more, perhaps to another address.
func (kept *memory) sendAgain(one *gift, reason, effect string) {
	one.failedAt = ""
	one.resends++
	status := "sent"
	if steps[effect] >= steps["opened"] {
		status = "opened"
	}
	kept.emitOf("gift.redirected", one, object{"reason": reason, "delivery": object{"status": status}})
	kept.send(one, effect)
}

// replaceLink gives a link gift another link.
func (kept *memory) replaceLink(one *gift) {
	if one.isLink() {
		one.delivery["link"] = fakeAddress + "/g/" + kept.nextID("fake")
		one.linkEnds = kept.time().Add(linkLasts)
	}
}

// renewLink gives a link gift another link if that has expired.
func (kept *memory) renewLink(one *gift) {
	if one.canceledAt == "" && !one.linkEnds.After(kept.time()) {
		kept.replaceLink(one)
	}
}

// send sends the gift; its address decides how far it gets.
func (kept *memory) send(one *gift, effect string) {
	one.sentAt = kept.now()
	one.isPending = !one.isLink()
	if effect == "failed" {
		kept.settle(one, effect)
	}
	if steps[effect] >= steps["delivered"] {
		kept.settle(one, "delivered")
	}
	if steps[effect] >= steps["opened"] {
		kept.open(one)
	}
	if steps[effect] >= steps["claimed"] {
		kept.claim(one)
	}
	if steps[effect] >= steps["spent"] {
		kept.spend(one)
	}
}
