// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

// The operations of the service, as the document has them.
var (
	getHealth                = operation{method: "GET", path: "/v1/health", isOurs: wordMark("status", "ok")}
	getOpenapi               = operation{method: "GET", path: "/v1/openapi.json", isOurs: textMark("openapi")}
	listCategories           = operation{method: "GET", path: "/v1/categories", isOurs: objectMark("list")}
	createOrder              = operation{method: "POST", path: "/v1/orders", isOurs: textMark("order_id"), takesKey: true, takesExpand: true}
	listOrders               = operation{method: "GET", path: "/v1/orders", isOurs: objectMark("list"), takesExpand: true}
	cancelOrder              = operation{method: "POST", path: "/v1/orders/{order_id}/cancel", isOurs: textMark("order_id"), takesKey: true, takesExpand: true}
	retrieveOrder            = operation{method: "GET", path: "/v1/orders/{order_id}", isOurs: textMark("order_id"), takesExpand: true}
	listGifts                = operation{method: "GET", path: "/v1/gifts", isOurs: objectMark("list"), takesExpand: true}
	retrieveGift             = operation{method: "GET", path: "/v1/gifts/{gift_id}", isOurs: textMark("gift_id"), takesExpand: true}
	redirectGift             = operation{method: "PUT", path: "/v1/gifts/{gift_id}/delivery", isOurs: textMark("gift_id"), takesKey: true, takesExpand: true}
	replaceGiftLink          = operation{method: "POST", path: "/v1/gifts/{gift_id}/link", isOurs: textMark("gift_id"), takesKey: true, takesExpand: true}
	resendGift               = operation{method: "POST", path: "/v1/gifts/{gift_id}/resend", isOurs: textMark("gift_id"), takesKey: true, takesExpand: true}
	cancelGift               = operation{method: "POST", path: "/v1/gifts/{gift_id}/cancel", isOurs: textMark("gift_id"), takesKey: true, takesExpand: true}
	scheduleGift             = operation{method: "POST", path: "/v1/gifts/{gift_id}/schedule", isOurs: textMark("gift_id"), takesKey: true, takesExpand: true}
	listContacts             = operation{method: "GET", path: "/v1/contacts", isOurs: objectMark("list")}
	saveContact              = operation{method: "PUT", path: "/v1/contacts", isOurs: textMark("contact_id")}
	retrieveContact          = operation{method: "GET", path: "/v1/contacts/{contact_id}", isOurs: textMark("contact_id")}
	deleteContact            = operation{method: "DELETE", path: "/v1/contacts/{contact_id}", isOurs: textMark("contact_id"), isSentOnce: true}
	retrieveBalance          = operation{method: "GET", path: "/v1/balance", isOurs: objectMark("balance")}
	listBalanceEntries       = operation{method: "GET", path: "/v1/balance/entries", isOurs: objectMark("list")}
	retrieveLedgerStatement  = operation{method: "GET", path: "/v1/balance/statements/{month}", isOurs: objectMark("ledger_statement")}
	retrieveLedgerCheckpoint = operation{method: "GET", path: "/v1/ledger/checkpoint", isOurs: objectMark("ledger_checkpoint")}
	retrieveLedgerProof      = operation{method: "GET", path: "/v1/ledger/proof", isOurs: objectMark("ledger_proof")}
	simulateDelivery         = operation{method: "POST", path: "/v1/sandbox/gifts/{gift_id}/deliver", isOurs: textMark("gift_id"), takesExpand: true, isSentOnce: true}
	simulateOpen             = operation{method: "POST", path: "/v1/sandbox/gifts/{gift_id}/open", isOurs: textMark("gift_id"), takesExpand: true}
	simulateClaim            = operation{method: "POST", path: "/v1/sandbox/gifts/{gift_id}/claim", isOurs: textMark("gift_id"), takesExpand: true, isSentOnce: true}
	simulateSpend            = operation{method: "POST", path: "/v1/sandbox/gifts/{gift_id}/spend", isOurs: textMark("gift_id"), takesExpand: true}
	resetSandbox             = operation{method: "POST", path: "/v1/sandbox/reset", isOurs: objectMark("sandbox_reset"), isSentOnce: true, attemptTimeout: unlimited}
	createWebhookEndpoint    = operation{method: "POST", path: "/v1/webhook_endpoints", isOurs: textMark("endpoint_id"), takesKey: true}
	listWebhookEndpoints     = operation{method: "GET", path: "/v1/webhook_endpoints", isOurs: objectMark("list")}
	retrieveWebhookEndpoint  = operation{method: "GET", path: "/v1/webhook_endpoints/{endpoint_id}", isOurs: textMark("endpoint_id")}
	updateWebhookEndpoint    = operation{method: "PATCH", path: "/v1/webhook_endpoints/{endpoint_id}", isOurs: textMark("endpoint_id")}
	deleteWebhookEndpoint    = operation{method: "DELETE", path: "/v1/webhook_endpoints/{endpoint_id}", isOurs: textMark("endpoint_id"), isSentOnce: true}
	rotateWebhookSecret      = operation{method: "POST", path: "/v1/webhook_endpoints/{endpoint_id}/rotate_secret", isOurs: textMark("endpoint_id"), takesKey: true}
	enableWebhookEndpoint    = operation{method: "POST", path: "/v1/webhook_endpoints/{endpoint_id}/enable", isOurs: textMark("endpoint_id"), takesKey: true}
	testWebhookEndpoint      = operation{method: "POST", path: "/v1/webhook_endpoints/{endpoint_id}/test", isOurs: memberMark("duration_ms"), isSentOnce: true}
	listWebhookDeliveries    = operation{method: "GET", path: "/v1/webhook_endpoints/{endpoint_id}/deliveries", isOurs: objectMark("list")}
	resendWebhookDelivery    = operation{method: "POST", path: "/v1/webhook_endpoints/{endpoint_id}/deliveries/{event_id}/resend", isOurs: memberMark("resent"), takesKey: true}
	resendWebhookDeliveries  = operation{method: "POST", path: "/v1/webhook_endpoints/{endpoint_id}/resend", isOurs: memberMark("resent"), takesKey: true}
	listEvents               = operation{method: "GET", path: "/v1/events", isOurs: objectMark("list"), takesExpand: true}
)
