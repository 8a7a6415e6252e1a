package bestow

import (
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The document that this version of the client was made for.
type document struct {
	Paths map[string]map[string]struct {
		OperationID string `json:"operationId"`
		Parameters  []struct{ Name, In string }
	}
	Webhooks map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Properties map[string]schema
	Known      []string `json:"x-extensible-enum"`
}

func readDocument(t *testing.T) document {
	t.Helper()
	text, err := os.ReadFile("../../openapi.json")
	if err != nil {
		t.Skip("the module stands alone: there is no ../../openapi.json")
	}
	var read document
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// calls has a call of the client for each operation; one that was added since is generated, and needs none.
var calls = map[string]func(*Client){
	"getHealth":      func(c *Client) { _ = c.Health(ctx) },
	"getOpenapi":     func(c *Client) { _, _ = c.OpenAPI(ctx) },
	"listCategories": func(c *Client) { _, _ = c.Categories.List(ctx) },
	"createOrder":    func(c *Client) { _, _ = c.Orders.Create(ctx, testOrder, WithExpand(PartHistory)) },
	"listOrders": func(c *Client) {
		_, _ = c.Orders.List(ctx, OrderQuery{1, "a", "b", time.Now(), time.Now(), "c", "d", "e", "f", map[string]string{"k": "v"}, "g", time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), "s"}, WithExpand(PartHistory))
	},
	"retrieveOrder": func(c *Client) { _, _ = c.Orders.Retrieve(ctx, "x", WithExpand(PartHistory)) },
	"cancelOrder":   func(c *Client) { _, _ = c.Orders.Cancel(ctx, "x", CancelInput{}, WithExpand(PartHistory)) },
	"listGifts": func(c *Client) {
		_, _ = c.Gifts.List(ctx, GiftQuery{1, "a", "b", time.Now(), time.Now(), "c", "d", "e", "f", map[string]string{"k": "v"}, "g", "h", time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), time.Now(), "s"}, WithExpand(PartHistory))
	},
	"retrieveGift":    func(c *Client) { _, _ = c.Gifts.Retrieve(ctx, "x", WithExpand(PartHistory)) },
	"redirectGift":    func(c *Client) { _, _ = c.Gifts.Redirect(ctx, "x", ByEmail("a@b.test"), WithExpand(PartHistory)) },
	"replaceGiftLink": func(c *Client) { _, _ = c.Gifts.ReplaceLink(ctx, "x", WithExpand(PartHistory)) },
	"resendGift":      func(c *Client) { _, _ = c.Gifts.Resend(ctx, "x", WithExpand(PartHistory)) },
	"cancelGift":      func(c *Client) { _, _ = c.Gifts.Cancel(ctx, "x", CancelInput{}, WithExpand(PartHistory)) },
	"scheduleGift":    func(c *Client) { _, _ = c.Gifts.Schedule(ctx, "x", time.Now(), WithExpand(PartHistory)) },
	"listContacts":    func(c *Client) { _, _ = c.Contacts.List(ctx, ContactQuery{1, "a", "b", "c", "d", "e"}) },
	"saveContact":     func(c *Client) { _, _ = c.Contacts.Save(ctx, ContactInput{}) },
	"retrieveContact": func(c *Client) { _, _ = c.Contacts.Retrieve(ctx, "x") },
	"deleteContact": func(c *Client) {
		_, _ = c.Contacts.Delete(ctx, "x")
		_, _ = c.Contacts.DeleteAndKeepGifts(ctx, "x")
	},
	"retrieveBalance": func(c *Client) { _, _ = c.Balance.Retrieve(ctx) },
	"listBalanceEntries": func(c *Client) {
		_, _ = c.Balance.Entries(ctx, EntryQuery{1, "a", "b", time.Now(), time.Now(), "c"})
	},
	"retrieveLedgerStatement":  func(c *Client) { _, _ = c.Ledger.Statement(ctx, "2026-11") },
	"retrieveLedgerCheckpoint": func(c *Client) { _, _ = c.Ledger.Checkpoint(ctx) },
	"retrieveLedgerProof": func(c *Client) {
		_, _ = c.Ledger.ProveEntry(ctx, "x")
		_, _ = c.Ledger.ProveConsistency(ctx, 1)
	},
	"simulateDelivery":        func(c *Client) { _, _ = c.Sandbox.Deliver(ctx, "x", DeliveryFailed, WithExpand(PartHistory)) },
	"simulateOpen":            func(c *Client) { _, _ = c.Sandbox.Open(ctx, "x", WithExpand(PartHistory)) },
	"simulateClaim":           func(c *Client) { _, _ = c.Sandbox.Claim(ctx, "x", WithExpand(PartHistory)) },
	"simulateSpend":           func(c *Client) { _, _ = c.Sandbox.Spend(ctx, "x", WithExpand(PartHistory)) },
	"resetSandbox":            func(c *Client) { _, _ = c.Sandbox.Reset(ctx) },
	"createWebhookEndpoint":   func(c *Client) { _, _ = c.WebhookEndpoints.Create(ctx, WebhookEndpointInput{}) },
	"listWebhookEndpoints":    func(c *Client) { _, _ = c.WebhookEndpoints.List(ctx) },
	"retrieveWebhookEndpoint": func(c *Client) { _, _ = c.WebhookEndpoints.Retrieve(ctx, "x") },
	"updateWebhookEndpoint": func(c *Client) {
		_, _ = c.WebhookEndpoints.Update(ctx, "x", WebhookEndpointChange{})
	},
	"deleteWebhookEndpoint": func(c *Client) { _ = c.WebhookEndpoints.Delete(ctx, "x") },
	"rotateWebhookSecret":   func(c *Client) { _, _ = c.WebhookEndpoints.RotateSecret(ctx, "x", Ptr(0)) },
	"enableWebhookEndpoint": func(c *Client) { _, _ = c.WebhookEndpoints.Enable(ctx, "x", 1) },
	"testWebhookEndpoint":   func(c *Client) { _, _ = c.WebhookEndpoints.Test(ctx, "x") },
	"listWebhookDeliveries": func(c *Client) {
		_, _ = c.WebhookEndpoints.Deliveries(ctx, "x", DeliveryQuery{1, "a", "b"})
	},
	"resendWebhookDelivery":   func(c *Client) { _, _ = c.WebhookEndpoints.Resend(ctx, "x", "x") },
	"resendWebhookDeliveries": func(c *Client) { _, _ = c.WebhookEndpoints.ResendSince(ctx, "x", time.Now()) },
	"listEvents": func(c *Client) {
		_, _ = c.Events.List(ctx, EventQuery{Ptr[int64](1), 1, []string{"a.b"}, time.Second, true})
	},
}

// notSent has parameters of operations that no method sends.
var notSent = map[string][]string{"retrieveLedgerProof": {"size"}}

func TestTheClientCallsEveryOperationOfTheDocument(t *testing.T) {
	served := startScript(t, answerError(422, TypeInvalidRequest, CodeParameterInvalid))
	client, _ := newTestClient(t, served.URL, Options{})
	for path, methods := range readDocument(t).Paths {
		for method, operation := range methods {
			call, isKnown := calls[operation.OperationID]
			if !isKnown {
				continue
			}
			before := len(served.all())
			call(client)
			sent := map[string]bool{}
			for _, request := range served.all()[before:] {
				target, query, _ := strings.Cut(request.Path, "?")
				pattern := regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "(x|2026-11)")
				if !regexp.MustCompile("^"+pattern+"$").MatchString(target) || request.Method != strings.ToUpper(method) {
					t.Errorf("%s sent %s %s", operation.OperationID, request.Method, request.Path)
				}
				for name := range parseQuery(query) {
					name, _, _ = strings.Cut(name, "[")
					sent["query "+name] = true
				}
				if request.Header.Get("Idempotency-Key") != "" {
					sent["header Idempotency-Key"] = true
				}
			}
			for _, parameter := range operation.Parameters {
				isSent := sent[parameter.In+" "+parameter.Name] || parameter.In == "path"
				if isSent == slices.Contains(notSent[operation.OperationID], parameter.Name) {
					t.Errorf("%s: the parameter %s is sent: %v", operation.OperationID, parameter.Name, isSent)
				}
				delete(sent, parameter.In+" "+parameter.Name)
			}
			if len(sent) > 0 {
				t.Errorf("%s also sent %v", operation.OperationID, sent)
			}
		}
	}
}

func parseQuery(query string) url.Values {
	values, _ := url.ParseQuery(query)
	return values
}
