package bestowtest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const defaultLimit = 10

// page returns a part of what is given oldest first, newest first, and whether there is more.
func page[Item any](oldestFirst []Item, idOf func(Item) string, query map[string]string, matches func(Item) bool) (
	[]Item, bool, *refusal,
) {
	limit, err := strconv.Atoi(query["limit"])
	if err != nil {
		limit = defaultLimit
	}
	items := slices.Clone(oldestFirst)
	slices.Reverse(items)
	first, last := 0, len(items)
	for _, cursor := range []string{"starting_after", "ending_before"} {
		id, isGiven := query[cursor]
		place := slices.IndexFunc(items, func(item Item) bool { return idOf(item) == id })
		switch {
		case !isGiven:
		case place < 0:
			return nil, false, refuse("cursor_invalid", "param", cursor)
		case cursor == "starting_after":
			first = place + 1
		default:
			last = place
		}
	}
	found := slices.DeleteFunc(slices.Clone(items[first:last]), func(item Item) bool { return !matches(item) })
	hasMore := len(found) > limit
	if _, isBackward := query["ending_before"]; isBackward && hasMore {
		return found[len(found)-limit:], true, nil
	}
	return found[:min(limit, len(found))], hasMore, nil
}

func recipientOf(address string) string {
	if strings.HasPrefix(address, "+") {
		return readPhone(address)
	}
	return strings.ToLower(address)
}

// texts are what the filters of lists compare.
var texts = map[string]func(*gift) any{
	"state":           func(one *gift) any { return one.state() },
	"delivery_method": func(one *gift) any { return one.delivery["method"] },
	"recipient":       func(one *gift) any { return recipientOf(addressOf(one.delivery)) },
	"category":        func(one *gift) any { return one.category },
	"external_id":     func(one *gift) any { return one.references["external_id"] },
	"order_id":        func(one *gift) any { return one.orderID },
	"status": func(one *gift) any {
		switch one.state() {
		case "canceled":
			return "canceled"
		case "waiting":
			return "scheduled"
		}
		return one.status()
	},
}
var times = map[string]func(*gift) string{
	"created":   func(one *gift) string { return one.orderedAt },
	"ordered":   func(one *gift) string { return one.orderedAt },
	"delivered": func(one *gift) string { return one.deliveredAt },
	"opened":    func(one *gift) string { return one.openedAt },
	"claimed":   func(one *gift) string { return one.claimedAt },
}

var (
	bound    = regexp.MustCompile(`^(\w+)_(after|before)$`)
	metadata = regexp.MustCompile(`^metadata\[(.*)\]$`)
	// ofOrders are filters of an order by itself; the others ask for one gift that passes all of them.
	ofOrders = regexp.MustCompile(`^(created_(after|before)|external_id|metadata\[.*\])$`)
)

// matches says whether the gift passes all filters.
func (one *gift) matches(query map[string]string) bool {
	for name, wanted := range query {
		if !one.passes(name, wanted) {
			return false
		}
	}
	return true
}

func (one *gift) passes(name, wanted string) bool {
	if match := bound.FindStringSubmatch(name); match != nil && times[match[1]] != nil {
		at, isThere := readTime(times[match[1]](one))
		limit, _ := readTime(wanted)
		return isThere && ((match[2] == "after" && at.After(limit)) || (match[2] == "before" && at.Before(limit)))
	}
	if match := metadata.FindStringSubmatch(name); match != nil {
		pairs, _ := one.references["metadata"].(object)
		return pairs[match[1]] == wanted
	}
	if name == "recipient" {
		wanted = recipientOf(wanted)
	}
	return texts[name] == nil || texts[name](one) == wanted
}

func (placed *order) matches(query map[string]string) bool {
	itself := &gift{references: placed.references, orderedAt: placed.createdAt}
	ofGifts := map[string]string{}
	for name, wanted := range query {
		switch {
		case name == "status":
			if placed.status() != wanted {
				return false
			}
		case ofOrders.MatchString(name):
			if !itself.passes(name, wanted) {
				return false
			}
		case texts[name] != nil || bound.MatchString(name):
			ofGifts[name] = wanted
		}
	}
	return len(ofGifts) == 0 || slices.ContainsFunc(placed.gifts, func(one *gift) bool { return one.matches(ofGifts) })
}
