package bestowtest

import "maps"

func resetSandbox(kept *memory, _ call) (done, *refusal) {
	deleted := object{
		"object": "sandbox_reset", "orders_deleted": len(kept.orders.items), "gifts_deleted": len(kept.gifts.items),
		"balances_deleted": 1, "ledger_entries_deleted": len(kept.entries),
	}
	kept.clear()
	kept.emit("sandbox.reset", object{})
	return done{body: deleted}, nil
}

func listCategories(*memory, call) (done, *refusal) {
	shown := make([]object, 0, len(rules.Categories))
	for _, category := range rules.Categories {
		id, _ := category["id"].(string)
		one := maps.Clone(category)
		one["artwork"] = fakeAddress + "/artwork/" + id + ".svg"
		one["product_details_url"] = fakeAddress + "/catalog/" + id
		shown = append(shown, one)
	}
	return list(shown, false), nil
}

// onEndpoint finds the endpoint of a call.
func onEndpoint(act func(*memory, call, *endpoint) (done, *refusal)) act {
	return func(kept *memory, asked call) (done, *refusal) {
		one, refused := kept.endpoints.find(asked.id)
		if refused != nil {
			return done{}, refused
		}
		return act(kept, asked, one)
	}
}

func createEndpoint(kept *memory, asked call) (done, *refusal) {
	made, isReplay, refused := kept.once(asked, func() (string, *refusal) { return kept.createEndpoint(asked.body) })
	if refused != nil {
		return done{}, refused
	}
	one, refused := kept.endpoints.find(made)
	if refused != nil {
		return done{}, refused
	}
	return done{body: one.withSecret(), status: 201, isReplay: isReplay}, nil
}

func listEndpoints(kept *memory, _ call) (done, *refusal) {
	shown := []object{}
	for _, one := range kept.endpoints.all() {
		shown = append(shown, one.shown)
	}
	return list(shown, false), nil
}

func updateEndpoint(kept *memory, asked call, one *endpoint) (done, *refusal) {
	refused := kept.change(one, asked.body)
	return done{body: one.shown}, refused
}

func deleteEndpoint(kept *memory, asked call, _ *endpoint) (done, *refusal) {
	delete(kept.endpoints.items, asked.id)
	return done{body: object{"endpoint_id": asked.id, "deleted": true}}, nil
}

func rotateSecret(kept *memory, asked call, one *endpoint) (done, *refusal) {
	_, isReplay, refused := kept.once(asked, func() (string, *refusal) {
		kept.rotateSecret(one, asked.body)
		return asked.id, nil
	})
	return done{body: one.withSecret(), isReplay: isReplay}, refused
}

func enableEndpoint(kept *memory, asked call, one *endpoint) (done, *refusal) {
	_, isReplay, refused := kept.once(asked, func() (string, *refusal) {
		if given, isGiven := asked.body["from_sequence"]; isGiven {
			from := wholeNumber(given)
			if from < kept.firstSequence() || from > kept.sequence+1 {
				return "", invalid("from_sequence", "must be the sequence of an event that is held, or the next one")
			}
			one.shown["sequence"] = from - 1
		}
		return asked.id, kept.change(one, object{"status": "enabled"})
	})
	return done{body: one.shown, isReplay: isReplay}, refused
}

// acts are what the fake does in each operation that it has.
var acts = func() map[string]act {
	known := map[string]act{
		"getHealth":             func(*memory, call) (done, *refusal) { return done{body: object{"status": "ok"}}, nil },
		"listCategories":        listCategories,
		"createOrder":           createOrder,
		"retrieveOrder":         retrieveOrder,
		"listOrders":            listOrders,
		"cancelOrder":           cancelOrder,
		"retrieveGift":          retrieveGift,
		"listGifts":             listGifts,
		"retrieveBalance":       retrieveBalance,
		"listBalanceEntries":    listEntries,
		"listEvents":            listEvents,
		"resetSandbox":          resetSandbox,
		"createWebhookEndpoint": createEndpoint,
		"listWebhookEndpoints":  listEndpoints,
		"retrieveWebhookEndpoint": onEndpoint(func(_ *memory, _ call, one *endpoint) (done, *refusal) {
			return done{body: one.shown}, nil
		}),
		"updateWebhookEndpoint": onEndpoint(updateEndpoint),
		"deleteWebhookEndpoint": onEndpoint(deleteEndpoint),
		"rotateWebhookSecret":   onEndpoint(rotateSecret),
		"enableWebhookEndpoint": onEndpoint(enableEndpoint),
	}
	for name := range giftActs {
		known[name] = actOnGift
	}
	return known
}()
