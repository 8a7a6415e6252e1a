package bestowtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	mailDomain = "@sandbox.gift.test"
	// keyID is the key that places every order.
	keyID           = "key_00000000000000000000000000"
	processingTime  = 20 * time.Second
	longestWait     = 366 * 24 * time.Hour
	latestSendingAt = 5 * time.Minute
)

var (
	// readPhone leaves out spaces, and the (0) that is dialed only at home.
	readPhone = strings.NewReplacer("(0)", "", " ", "", "(", "", ")", "", "-", "").Replace
	// passing failures are met only by the first try of a key.
	passing  = []string{"rate_limit_exceeded", "resource_locked", "idempotency_in_progress"}
	failures = append([]string{"insufficient_balance", "internal_error"}, passing...)
)

// effectOf returns what the service does with gifts to this address, such as claimed.
func effectOf(delivery map[string]string) string {
	address := strings.ToLower(addressOf(delivery))
	if name, isSandbox := strings.CutSuffix(address, mailDomain); isSandbox {
		address, _, _ = strings.Cut(name, "+")
	}
	return rules.Steering[address]
}

// readDelivery returns the address as gifts keep it.
func readDelivery(given object) map[string]string {
	delivery := map[string]string{}
	for name, value := range given {
		delivery[name], _ = value.(string)
	}
	if phone, isPhone := delivery["phone"]; isPhone {
		delivery["phone"] = readPhone(phone)
	}
	return delivery
}

func (kept *memory) readSendAt(text, path string) (string, *refusal) {
	moment, _ := readTime(text)
	switch now := kept.time(); {
	case moment.Before(now.Add(-latestSendingAt)):
		return "", invalid(path, "must be in the future")
	case moment.After(now.Add(longestWait)):
		return "", invalid(path, "must be at most 366 days ahead")
	}
	return timeText(moment), nil
}

// chosen returns the members with these names.
func chosen(given object, names ...string) object {
	picked := object{}
	for _, name := range names {
		if value, isThere := given[name]; isThere {
			picked[name] = value
		}
	}
	return picked
}

func (kept *memory) newGift(orderID, senderName string, given object, path string) (*gift, *refusal) {
	category, _ := given["category"].(string)
	isKnown := slices.ContainsFunc(rules.Categories, func(one object) bool { return one["id"] == category })
	if !isKnown {
		return nil, invalid(path+"category", "is not a category of the catalog")
	}
	delivery := readDelivery(given["delivery"].(object))
	scheduledFor, isScheduled := given["send_at"].(string)
	if isScheduled && delivery["method"] == "link" {
		return nil, invalid(path+"send_at", "is only for gifts that the service sends")
	}
	if isScheduled {
		var refused *refusal
		if scheduledFor, refused = kept.readSendAt(scheduledFor, path+"send_at"); refused != nil {
			return nil, refused
		}
	}
	personalization := object{"sender_name": senderName}
	if names, areGiven := given["personalization"].(object); areGiven {
		maps.Copy(personalization, names)
	}
	return &gift{
		id: kept.nextID("gift"), orderID: orderID, category: category, amount: wholeNumber(given["amount"]),
		delivery: delivery, personalization: personalization, orderedAt: kept.now(), scheduledFor: scheduledFor,
		references: chosen(given, "language", "external_id", "metadata"),
	}, nil
}

// refusalOf returns the refusal that an address asks for, or that of a balance that is too low.
func (kept *memory) refusalOf(key string, placed *order) *refusal {
	var found []string
	for _, one := range append(slices.Clone(placed.gifts), placed.later...) {
		if effect := effectOf(one.delivery); slices.Contains(failures, effect) {
			found = append(found, effect)
		}
	}
	if len(found) > 0 && slices.Contains(passing, found[0]) && !kept.triedKeys[key] {
		kept.triedKeys[key] = true
		return refuse(found[0])
	}
	for _, failure := range found {
		if !slices.Contains(passing, failure) {
			return refuse(failure)
		}
	}
	if placed.amount > kept.balance {
		return refuse("insufficient_balance")
	}
	return nil
}

// placeOrder places an order. After a refusal nothing happened.
func (kept *memory) placeOrder(key, senderName string, body object) (*order, *refusal) {
	placed := &order{
		id: kept.nextID("ord"), createdAt: kept.now(), references: chosen(body, "external_id", "metadata"),
		completesAt: kept.time().Add(processingTime),
	}
	items := body["gifts"].([]any)
	for index, given := range items {
		one, refused := kept.newGift(placed.id, senderName, given.(object), fmt.Sprintf("gifts[%d].", index))
		if refused != nil {
			return nil, refused
		}
		placed.amount += one.amount
		if len(placed.later) > 0 || effectOf(one.delivery) == "processing" {
			placed.later = append(placed.later, one)
		} else {
			placed.gifts = append(placed.gifts, one)
		}
	}
	for _, earlier := range kept.orders.all() {
		if taken := placed.references["external_id"]; taken != nil && earlier.references["external_id"] == taken {
			return nil, refuse("external_id_taken", "order_id", earlier.id)
		}
	}
	if refused := kept.refusalOf(key, placed); refused != nil {
		return nil, refused
	}
	kept.orders.add(placed.id, placed)
	kept.post("order", -placed.amount, object{"order_id": placed.id})
	kept.emit("order.created", object{"order_id": placed.id, "status": placed.status()})
	for _, one := range placed.gifts {
		kept.create(one)
	}
	return placed, nil
}

func (kept *memory) create(one *gift) {
	kept.gifts.add(one.id, one)
	kept.replaceLink(one)
	if one.scheduledFor == "" {
		kept.send(one, effectOf(one.delivery))
	}
}

// complete creates the gifts of an order that are not there yet, and sends them unless they are to be canceled.
func (kept *memory) complete(placed *order, areSent bool) {
	later := placed.later
	if len(later) == 0 {
		return
	}
	placed.later = nil
	placed.gifts = append(placed.gifts, later...)
	kept.emit("order.processed", object{"order_id": placed.id, "status": placed.status()})
	for _, one := range later {
		if areSent {
			kept.create(one)
		} else {
			kept.gifts.add(one.id, one)
		}
	}
}

// catchUp does what has come due.
func (kept *memory) catchUp() {
	now := kept.time()
	for _, placed := range kept.orders.all() {
		if !placed.completesAt.After(now) {
			kept.complete(placed, true)
		}
	}
	for _, one := range kept.gifts.all() {
		if one.state() == "waiting" && one.scheduledFor <= timeText(now) {
			kept.send(one, effectOf(one.delivery))
		}
	}
}

// present returns the order as answers show it.
func (placed *order) present(hasHistory bool) object {
	gifts, count := make([]object, 0, len(placed.gifts)), map[string]int{}
	for _, one := range placed.gifts {
		gifts = append(gifts, one.present(hasHistory))
		count[one.state()]++
	}
	shown := object{"order_id": placed.id, "status": placed.status(), "gifts": gifts}
	maps.Copy(shown, placed.references)
	if hasHistory {
		shown["history"] = object{
			"created_at": placed.createdAt, "amount": placed.amount, "currency": "USD", "gifts_by_state": count,
			"ordered_by": object{"kind": "key", "id": keyID, "name": "FakeBestow"},
		}
	}
	return shown
}

// cancelOrder cancels the gifts that are not claimed, and refuses if all are.
func (kept *memory) cancelOrder(placed *order, reason any) *refusal {
	kept.complete(placed, false)
	if !slices.ContainsFunc(placed.gifts, func(one *gift) bool { return one.claimedAt == "" }) {
		return refuse(alreadyRedeemed)
	}
	var open []*gift
	var refunded int64
	for _, one := range placed.gifts {
		if one.claimedAt == "" && one.canceledAt == "" {
			open = append(open, one)
			refunded += one.amount
		}
	}
	if len(open) == 0 {
		return nil
	}
	cancellation := object{"canceled_at": kept.now(), "reason": reason, "refunded": refunded}
	kept.emit("order.canceled", object{"order_id": placed.id, "cancellation": cancellation})
	for _, one := range open {
		kept.cancel(one, reason)
	}
	return nil
}
