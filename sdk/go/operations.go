package bestow

import (
	"encoding/json"
	"net/http"
)

var (
	orderMark    = textMark("order_id")
	giftMark     = textMark("gift_id")
	contactMark  = textMark("contact_id")
	endpointMark = textMark("endpoint_id")
	listMark     = objectMark("list")

	getHealth  = read("/v1/health", wordMark("status", "ok"))
	getOpenapi = read("/v1/openapi.json", textMark("openapi"))

	listCategories = read("/v1/categories", listMark)

	createOrder   = actOnce("/v1/orders", orderMark)
	listOrders    = read("/v1/orders", listMark)
	retrieveOrder = read("/v1/orders/{order_id}", orderMark)
	cancelOrder   = actOnce("/v1/orders/{order_id}/cancel", orderMark)

	listGifts       = read("/v1/gifts", listMark)
	retrieveGift    = read("/v1/gifts/{gift_id}", giftMark)
	redirectGift    = putOnce("/v1/gifts/{gift_id}/delivery", giftMark)
	replaceGiftLink = actOnce("/v1/gifts/{gift_id}/link", giftMark)
	resendGift      = actOnce("/v1/gifts/{gift_id}/resend", giftMark)
	cancelGift      = actOnce("/v1/gifts/{gift_id}/cancel", giftMark)
	scheduleGift    = actOnce("/v1/gifts/{gift_id}/schedule", giftMark)

	listContacts    = read("/v1/contacts", listMark)
	saveContact     = repeat("PUT", "/v1/contacts", contactMark)
	retrieveContact = read("/v1/contacts/{contact_id}", contactMark)
	deleteContact   = sendOnce("DELETE", "/v1/contacts/{contact_id}", contactMark)

	retrieveBalance    = read("/v1/balance", objectMark("balance"))
	listBalanceEntries = read("/v1/balance/entries", listMark)

	retrieveLedgerStatement  = read("/v1/balance/statements/{month}", objectMark("ledger_statement"))
	retrieveLedgerCheckpoint = read("/v1/ledger/checkpoint", objectMark("ledger_checkpoint"))
	retrieveLedgerProof      = read("/v1/ledger/proof", objectMark("ledger_proof"))

	simulateDelivery = sendOnce("POST", "/v1/sandbox/gifts/{gift_id}/deliver", giftMark)
	simulateOpen     = repeat("POST", "/v1/sandbox/gifts/{gift_id}/open", giftMark)
	simulateClaim    = sendOnce("POST", "/v1/sandbox/gifts/{gift_id}/claim", giftMark)
	simulateSpend    = repeat("POST", "/v1/sandbox/gifts/{gift_id}/spend", giftMark)
	resetSandbox     = withoutAttemptTimeout(sendOnce("POST", "/v1/sandbox/reset", objectMark("sandbox_reset")))

	createWebhookEndpoint   = actOnce("/v1/webhook_endpoints", endpointMark)
	listWebhookEndpoints    = read("/v1/webhook_endpoints", listMark)
	retrieveWebhookEndpoint = read("/v1/webhook_endpoints/{endpoint_id}", endpointMark)
	updateWebhookEndpoint   = repeat("PATCH", "/v1/webhook_endpoints/{endpoint_id}", endpointMark)
	deleteWebhookEndpoint   = sendOnce("DELETE", "/v1/webhook_endpoints/{endpoint_id}", endpointMark)
	rotateWebhookSecret     = actOnce("/v1/webhook_endpoints/{endpoint_id}/rotate_secret", endpointMark)
	enableWebhookEndpoint   = actOnce("/v1/webhook_endpoints/{endpoint_id}/enable", endpointMark)
	testWebhookEndpoint     = sendOnce("POST", "/v1/webhook_endpoints/{endpoint_id}/test", memberMark("accepted"))
	listWebhookDeliveries   = read("/v1/webhook_endpoints/{endpoint_id}/deliveries", listMark)
	resendWebhookDelivery   = actOnce("/v1/webhook_endpoints/{endpoint_id}/deliveries/{event_id}/resend", memberMark("resent"))
	resendWebhookDeliveries = actOnce("/v1/webhook_endpoints/{endpoint_id}/resend", memberMark("resent"))

	listEvents = read("/v1/events", listMark)
)

func read(path string, isOurs func(map[string]json.RawMessage) bool) operation {
	return operation{method: http.MethodGet, path: path, isOurs: isOurs}
}

// actOnce describes an act that is carried out once, however often its key is sent.
func actOnce(path string, isOurs func(map[string]json.RawMessage) bool) operation {
	return operation{method: http.MethodPost, path: path, isOurs: isOurs, takesKey: true}
}

func putOnce(path string, isOurs func(map[string]json.RawMessage) bool) operation {
	return operation{method: http.MethodPut, path: path, isOurs: isOurs, takesKey: true}
}

// repeat describes an act of which a repeat changes nothing more.
func repeat(method, path string, isOurs func(map[string]json.RawMessage) bool) operation {
	return operation{method: method, path: path, isOurs: isOurs}
}

func sendOnce(method, path string, isOurs func(map[string]json.RawMessage) bool) operation {
	return operation{method: method, path: path, isOurs: isOurs, isSentOnce: true}
}

// withoutAttemptTimeout: the first attempt may use the time of the whole call.
func withoutAttemptTimeout(op operation) operation {
	op.attemptTimeout = unlimited
	return op
}
