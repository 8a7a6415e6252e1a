package bestowtest

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	responseLost = "response_lost"
	mostEvents   = 100
)

// call is a request that was read and checked.
type call struct {
	operation  *operation
	id         string
	query      map[string]string
	body       object
	key        string
	hasKey     bool
	senderName string
	// request is what a key is bound to: method, path and body.
	request string
}

func (asked call) asksFor(part string) bool {
	return slices.Contains(strings.Split(asked.query["expand"], ","), part)
}
func (asked call) hasHistory() bool { return asked.asksFor("history") }

// done is what an operation answers.
type done struct {
	body     any
	status   int
	isReplay bool
	// isLost: the caller gets no answer.
	isLost bool
	// isSlow: the answer takes five seconds, by the clock of the fake.
	isSlow bool
}

type act func(*memory, call) (done, *refusal)

func wholeNumber(value any) int64 {
	number, _ := value.(json.Number)
	whole, _ := readWhole(number)
	return whole
}

// readWhole also reads 2500.0, which JavaScript takes for 2500.
func readWhole(number json.Number) (int64, bool) {
	if whole, err := number.Int64(); err == nil {
		return whole, true
	}
	float, err := number.Float64()
	return int64(float), err == nil && float == math.Trunc(float) && math.Abs(float) < 1<<53
}

func list[Item any](data []Item, hasMore bool) done {
	if data == nil {
		data = []Item{}
	}
	return done{body: object{"object": "list", "data": data, "has_more": hasMore}}
}

// once does the act unless its key did it before; it returns the id of what it made, and whether it is a replay.
func (kept *memory) once(asked call, act func() (string, *refusal)) (string, bool, *refusal) {
	earlier, isKnown := kept.usedKeys[asked.key]
	if isKnown = isKnown && asked.hasKey; isKnown {
		if earlier.request != asked.request {
			return "", false, refuse("idempotency_key_reused", "param", "Idempotency-Key")
		}
		return earlier.id, true, nil
	}
	made, refused := act()
	if refused == nil && asked.hasKey {
		kept.usedKeys[asked.key] = usedKey{asked.request, made}
	}
	return made, false, refused
}

func createOrder(kept *memory, asked call) (done, *refusal) {
	ofOrder := asked
	// Keys of orders are apart from those of other acts.
	ofOrder.key = "order " + asked.key
	made, isReplay, refused := kept.once(ofOrder, func() (string, *refusal) {
		placed, refused := kept.placeOrder(asked.key, asked.senderName, asked.body)
		if refused != nil {
			return "", refused
		}
		return placed.id, nil
	})
	if refused != nil {
		return done{}, refused
	}
	placed, refused := kept.orders.find(made)
	if refused != nil {
		return done{}, refused
	}
	answered := done{body: placed.present(asked.hasHistory()), status: 201, isReplay: isReplay}
	if isReplay {
		answered.status = 200
	}
	for _, one := range append(slices.Clone(placed.gifts), placed.later...) {
		effect := effectOf(one.delivery)
		answered.isLost = answered.isLost || (!isReplay && effect == responseLost)
		answered.isSlow = answered.isSlow || (!isReplay && effect == "slow")
	}
	return answered, nil
}

func actOnGift(kept *memory, asked call) (done, *refusal) {
	one, refused := kept.gifts.find(asked.id)
	if refused != nil {
		return done{}, refused
	}
	name := asked.operation.ID
	_, isReplay, refused := kept.once(asked, func() (string, *refusal) { return one.id, giftActs[name](kept, one, asked.body) })
	answered := done{body: one.present(asked.hasHistory()), isReplay: isReplay}
	if name == "redirectGift" && !isReplay {
		answered.isLost, answered.isSlow = effectOf(one.delivery) == responseLost, effectOf(one.delivery) == "slow"
	}
	return answered, refused
}

func cancelOrder(kept *memory, asked call) (done, *refusal) {
	placed, refused := kept.orders.find(asked.id)
	if refused != nil {
		return done{}, refused
	}
	_, isReplay, refused := kept.once(asked, func() (string, *refusal) {
		return placed.id, kept.cancelOrder(placed, asked.body["reason"])
	})
	return done{body: placed.present(asked.hasHistory()), isReplay: isReplay}, refused
}

func retrieveOrder(kept *memory, asked call) (done, *refusal) {
	placed, refused := kept.orders.find(asked.id)
	if refused != nil {
		return done{}, refused
	}
	return done{body: placed.present(asked.hasHistory())}, nil
}

func retrieveGift(kept *memory, asked call) (done, *refusal) {
	one, refused := kept.gifts.find(asked.id)
	if refused != nil {
		return done{}, refused
	}
	kept.renewLink(one)
	return done{body: one.present(asked.hasHistory())}, nil
}

func listOrders(kept *memory, asked call) (done, *refusal) {
	idOf := func(placed *order) string { return placed.id }
	matches := func(placed *order) bool { return placed.matches(asked.query) }
	found, hasMore, refused := page(kept.orders.all(), idOf, asked.query, matches)
	shown := make([]object, 0, len(found))
	for _, placed := range found {
		shown = append(shown, placed.present(asked.hasHistory()))
	}
	return list(shown, hasMore), refused
}

func listGifts(kept *memory, asked call) (done, *refusal) {
	idOf := func(one *gift) string { return one.id }
	matches := func(one *gift) bool { return one.matches(asked.query) }
	found, hasMore, refused := page(kept.gifts.all(), idOf, asked.query, matches)
	shown := make([]object, 0, len(found))
	for _, one := range found {
		shown = append(shown, one.present(asked.hasHistory()))
	}
	return list(shown, hasMore), refused
}

func retrieveBalance(kept *memory, _ call) (done, *refusal) {
	body := object{"object": "balance", "available": kept.balance, "currency": "USD"}
	if count := len(kept.entries); count > 0 {
		body["last_entry"] = kept.entries[count-1]
	}
	return done{body: body}, nil
}

func listEntries(kept *memory, asked call) (done, *refusal) {
	kind, isGiven := asked.query["kind"]
	idOf := func(entry object) string { return entry["entry_id"].(string) }
	matches := func(entry object) bool { return !isGiven || entry["kind"] == kind }
	found, hasMore, refused := page(kept.entries, idOf, asked.query, matches)
	return list(found, hasMore), refused
}

func (kept *memory) firstSequence() int64 {
	if len(kept.events) == 0 {
		return kept.sequence + 1
	}
	return kept.events[0].sequence
}

// eventsOf returns those that the call asks for.
func (kept *memory) eventsOf(asked call) ([]event, *refusal) {
	var wanted []string
	if types, isGiven := asked.query["types"]; isGiven {
		wanted = strings.Split(types, ",")
	}
	isUnknown := func(kind string) bool { return !slices.Contains(rules.EventTypes, kind) }
	if slices.ContainsFunc(wanted, isUnknown) {
		return nil, invalid("types", "must be known types of events")
	}
	text, isGiven := asked.query["after"]
	after, _ := strconv.ParseInt(text, 10, 64)
	if isGiven && (after < kept.firstSequence()-1 || after > kept.sequence) {
		return nil, refuse("cursor_invalid", "param", "after")
	}
	var found []event
	for _, one := range kept.events {
		if one.sequence > after && (wanted == nil || slices.Contains(wanted, one.kind)) {
			found = append(found, one)
		}
	}
	return found, nil
}

func listEvents(kept *memory, asked call) (done, *refusal) {
	found, refused := kept.eventsOf(asked)
	if refused != nil {
		return done{}, refused
	}
	limit, err := strconv.Atoi(asked.query["limit"])
	if err != nil {
		limit = mostEvents
	}
	found = found[:min(limit, len(found))]
	nextAfter := kept.sequence
	if len(found) == limit {
		nextAfter = found[limit-1].sequence
	}
	data := make([]object, 0, len(found))
	for _, one := range found {
		shown := object{
			"event_id": one.id, "type": one.kind, "created_at": one.createdAt, "sequence": one.sequence, "data": one.data,
		}
		if asked.asksFor("resource") {
			shown["resource"] = kept.resourceOf(one, asked.hasHistory())
		}
		data = append(data, shown)
	}
	return done{body: object{
		"object": "list", "data": data, "has_more": nextAfter < kept.sequence, "next_after": nextAfter,
		"first_sequence": kept.firstSequence(),
	}}, nil
}

func (kept *memory) resourceOf(happened event, hasHistory bool) any {
	giftID, _ := happened.data["gift_id"].(string)
	if one, refused := kept.gifts.find(giftID); refused == nil {
		return one.present(hasHistory)
	}
	orderID, _ := happened.data["order_id"].(string)
	if placed, refused := kept.orders.find(orderID); refused == nil {
		return placed.present(hasHistory)
	}
	return nil
}
