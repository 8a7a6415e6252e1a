package bestowtest

import (
	"fmt"
	"net/http"
	"time"
)

type gift struct {
	id, orderID, category string
	amount                int64
	delivery              map[string]string
	personalization       object
	// references are language, external id and metadata, as they were given.
	references object
	// The times are empty until it has happened.
	scheduledFor, orderedAt, sentAt, deliveredAt, failedAt, openedAt, claimedAt, spentAt, canceledAt string
	cancelReason                                                                                     any
	// resends is how often it was sent again.
	resends int
	// isPending: a message is under way that has no outcome yet.
	isPending bool
	linkEnds  time.Time
}

type order struct {
	id, createdAt string
	amount        int64
	// references are external id and metadata, as they were given.
	references object
	gifts      []*gift
	// later are created later.
	later       []*gift
	completesAt time.Time
}

func (placed *order) status() string {
	if len(placed.later) > 0 {
		return "processing"
	}
	return "processed"
}

type event struct {
	id, kind, createdAt string
	sequence            int64
	data                object
}

type endpoint struct {
	// shown is as answers show it.
	shown object
	types []any
	// secrets begin with the newest.
	secrets []string
	// lastSequence is the event that was pushed last; nil before the first.
	lastSequence any
}

// Push is a request to a webhook endpoint, as the service would send it.
type Push struct {
	URL    string
	Header http.Header
	Body   []byte
}

type usedKey struct{ request, id string }

// ordered is a map that keeps the order in which its items were added.
type ordered[Item any] struct {
	ids   []string
	items map[string]Item
}

func newOrdered[Item any]() ordered[Item] { return ordered[Item]{items: map[string]Item{}} }

func (kept *ordered[Item]) add(id string, item Item) {
	kept.ids = append(kept.ids, id)
	kept.items[id] = item
}

func (kept *ordered[Item]) all() []Item {
	all := make([]Item, 0, len(kept.ids))
	for _, id := range kept.ids {
		if item, isThere := kept.items[id]; isThere {
			all = append(all, item)
		}
	}
	return all
}

func (kept *ordered[Item]) find(id string) (Item, *refusal) {
	item, isThere := kept.items[id]
	if !isThere {
		return item, refuse("resource_missing")
	}
	return item, nil
}

// memory is everything that the fake keeps.
type memory struct {
	ahead     time.Duration
	balance   int64
	sequence  int64
	entries   []object
	events    []event
	orders    ordered[*order]
	gifts     ordered[*gift]
	endpoints ordered[*endpoint]
	usedKeys  map[string]usedKey
	triedKeys map[string]bool
	pushes    []Push
	lastID    int
}

func newMemory() *memory {
	kept := &memory{endpoints: newOrdered[*endpoint](), triedKeys: map[string]bool{}}
	kept.clear()
	return kept
}

// clear forgets all orders, gifts, money and events; endpoints and the count of events stay.
func (kept *memory) clear() {
	kept.balance, kept.entries, kept.events = 0, nil, nil
	kept.orders, kept.gifts, kept.usedKeys = newOrdered[*order](), newOrdered[*gift](), map[string]usedKey{}
}

func (kept *memory) time() time.Time { return time.Now().Add(kept.ahead) }
func (kept *memory) now() string     { return timeText(kept.time()) }

// nextID returns ids that rise, as the service's do.
func (kept *memory) nextID(prefix string) string {
	kept.lastID++
	return fmt.Sprintf("%s_%026d", prefix, kept.lastID)
}

// post writes a change of the balance.
func (kept *memory) post(kind string, amount int64, entry object) object {
	kept.balance += amount
	entry["entry_id"], entry["kind"], entry["amount"] = kept.nextID("led"), kind, amount
	entry["balance_after"], entry["created_at"] = kept.balance, kept.now()
	kept.entries = append(kept.entries, entry)
	return entry
}

func (kept *memory) emit(kind string, data object) {
	kept.sequence++
	kept.events = append(kept.events, event{kept.nextID("evt"), kind, kept.now(), kept.sequence, data})
}
