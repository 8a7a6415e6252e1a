package bestow

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// serveParts answers as the service does: with the history of a gift or order only if it is asked for.
func serveParts(answer http.ResponseWriter, request *http.Request) {
	gift, order, more := `{"gift_id":"gift_1"%s}`, `{"order_id":"ord_1","status":"processed","external_id":"po-7"%s,"gifts":[%s]}`, ""
	if slices.Contains(strings.Split(request.URL.Query().Get("expand"), ","), PartHistory) {
		more = `,"history":{"state":"sent"}`
	}
	one := fmt.Sprintf(gift, more)
	if strings.HasPrefix(request.URL.Path, "/v1/orders") {
		one = fmt.Sprintf(order, more, one)
	}
	if request.Method == http.MethodGet && strings.Count(request.URL.Path, "/") == 2 {
		one = fmt.Sprintf(`{"object":"list","data":[%s],"has_more":false}`, one)
	}
	answerWith(200, one)(answer, request)
}

func firstOf[Item any](page *Page[Item], err error) (*Item, error) {
	if err != nil {
		return nil, err
	}
	return &page.Data[0], nil
}

// giftCalls are the calls that answer with a gift.
var giftCalls = map[string]func(*Client, ...CallOption) (*Gift, error){
	"Retrieve": func(c *Client, more ...CallOption) (*Gift, error) { return c.Gifts.Retrieve(ctx, "x", more...) },
	"Redirect": func(c *Client, more ...CallOption) (*Gift, error) {
		return c.Gifts.Redirect(ctx, "x", ByEmail("a@b.test"), more...)
	},
	"ReplaceLink": func(c *Client, more ...CallOption) (*Gift, error) { return c.Gifts.ReplaceLink(ctx, "x", more...) },
	"Resend":      func(c *Client, more ...CallOption) (*Gift, error) { return c.Gifts.Resend(ctx, "x", more...) },
	"Schedule": func(c *Client, more ...CallOption) (*Gift, error) {
		return c.Gifts.Schedule(ctx, "x", time.Now(), more...)
	},
	"Cancel": func(c *Client, more ...CallOption) (*Gift, error) {
		return c.Gifts.Cancel(ctx, "x", CancelInput{}, more...)
	},
	"Deliver": func(c *Client, more ...CallOption) (*Gift, error) {
		return c.Sandbox.Deliver(ctx, "x", Delivered, more...)
	},
	"Open":  func(c *Client, more ...CallOption) (*Gift, error) { return c.Sandbox.Open(ctx, "x", more...) },
	"Claim": func(c *Client, more ...CallOption) (*Gift, error) { return c.Sandbox.Claim(ctx, "x", more...) },
	"Spend": func(c *Client, more ...CallOption) (*Gift, error) { return c.Sandbox.Spend(ctx, "x", more...) },
	"List": func(c *Client, more ...CallOption) (*Gift, error) {
		return firstOf(c.Gifts.List(ctx, GiftQuery{}, more...))
	},
	"All": func(c *Client, more ...CallOption) (*Gift, error) {
		for gift, err := range c.Gifts.All(ctx, GiftQuery{}, more...) {
			return &gift, err
		}
		return nil, nil
	},
}

// orderCalls are the calls that answer with an order.
var orderCalls = map[string]func(*Client, ...CallOption) (*Order, error){
	"Create":   func(c *Client, more ...CallOption) (*Order, error) { return c.Orders.Create(ctx, testOrder, more...) },
	"Retrieve": func(c *Client, more ...CallOption) (*Order, error) { return c.Orders.Retrieve(ctx, "x", more...) },
	"Cancel": func(c *Client, more ...CallOption) (*Order, error) {
		return c.Orders.Cancel(ctx, "x", CancelInput{}, more...)
	},
	"FindByExternalID": func(c *Client, more ...CallOption) (*Order, error) {
		return c.Orders.FindByExternalID(ctx, "po-7", more...)
	},
	"WaitUntilProcessed": func(c *Client, more ...CallOption) (*Order, error) {
		return c.Orders.WaitUntilProcessed(ctx, "x", more...)
	},
	"List": func(c *Client, more ...CallOption) (*Order, error) {
		return firstOf(c.Orders.List(ctx, OrderQuery{}, more...))
	},
	"All": func(c *Client, more ...CallOption) (*Order, error) {
		for order, err := range c.Orders.All(ctx, OrderQuery{}, more...) {
			return &order, err
		}
		return nil, nil
	},
}

func TestEveryCallOfAGiftOrOrderHasThePartsThatItAsksForAndNoOthers(t *testing.T) {
	served := startScript(t, serveParts)
	client, _ := newTestClient(t, served.URL, Options{})
	check := func(name, sent string, isThere []bool, err error) {
		t.Helper()
		requests := served.all()
		_, query, _ := strings.Cut(requests[len(requests)-1].Path, "?")
		equal(t, name+": error", err, nil)
		equal(t, name+": sent", parseQuery(query).Get("expand"), sent)
		equal(t, name+": has the part", fmt.Sprint(isThere), fmt.Sprint(slices.Repeat([]bool{sent != ""}, len(isThere))))
	}
	for _, sent := range []string{"", "history,card"} {
		var more []CallOption
		if sent != "" {
			more = []CallOption{WithExpand(PartHistory, PartCard)}
		}
		for name, call := range giftCalls {
			gift, err := call(client, more...)
			check("gift "+name, sent, []bool{gift.History != nil}, err)
			if gift.Order != nil || gift.Deliveries != nil || gift.Card != nil {
				t.Errorf("%s: %+v", name, gift)
			}
		}
		for name, call := range orderCalls {
			order, err := call(client, more...)
			check("order "+name, sent, []bool{order.History != nil, order.Gifts[0].History != nil}, err)
		}
	}
}

func TestAnUnknownPartIsRefusedByTheService(t *testing.T) {
	served := startScript(t, answerError(422, TypeInvalidRequest, CodeParameterInvalid))
	client, _ := newTestClient(t, served.URL, Options{})
	for name, call := range giftCalls {
		_, err := call(client, WithExpand("histroy"))
		equal(t, name, mustFail(t, err).Code, CodeParameterInvalid)
	}
	for name, call := range orderCalls {
		_, err := call(client, WithExpand("histroy"))
		equal(t, name, mustFail(t, err).Code, CodeParameterInvalid)
	}
	equal(t, "requests", len(served.all()), len(giftCalls)+len(orderCalls))
	later := client.Do(ctx, "GET", "/v1/gifts/x/later", nil, nil, WithExpand("histroy"))
	equal(t, "a later call", mustFail(t, later).Code, CodeParameterInvalid)
	if _, err := client.Balance.Retrieve(ctx, WithExpand(PartHistory)); err == nil {
		t.Error("a call without gifts took parts")
	}
}

func TestARetryAsksForTheSamePartsWithTheSameKey(t *testing.T) {
	served := startScript(t, cut, answerWith(502, "<html>"), answerError(409, TypeAPI, CodeResourceLocked), serveParts)
	client, _ := newTestClient(t, served.URL, Options{})
	order, err := client.Orders.Create(ctx, testOrder, WithExpand(PartHistory, PartOrder))
	if err != nil || order.History == nil {
		t.Fatal(order, err)
	}
	requests := served.all()
	equal(t, "requests", len(requests), 4)
	for _, request := range requests {
		equal(t, "path", request.Path, "/v1/orders?expand=history%2Corder")
		equal(t, "key", request.Header.Get("Idempotency-Key"), requests[0].Header.Get("Idempotency-Key"))
		equal(t, "body", request.Body, requests[0].Body)
	}
}

func TestAKeptOrderThatAskedForPartsIsResumed(t *testing.T) {
	for _, more := range [][]CallOption{nil, {WithExpand(PartHistory)}} {
		store := FolderStore(filepath.Join(t.TempDir(), "orders"))
		served := startScript(t, cut, serveParts)
		client, _ := newTestClient(t, served.URL, Options{Store: store})
		_, err := client.Orders.Create(ctx, testOrder, WithIdempotencyKey("k"), WithExpand(PartHistory), WithMaxRetries(0))
		equal(t, "unknown", mustFail(t, err).OutcomeUnknown, true)
		equal(t, "kept", strings.Join(keptKeys(t, store), " "), "k")
		for resumed, err := range client.Orders.Resume(ctx, more...) {
			if err != nil || (resumed.Order.History != nil) != (more != nil) {
				t.Error(resumed.Order, err)
			}
		}
		requests := served.all()
		equal(t, "requests", len(requests), 2)
		equal(t, "key", requests[1].Header.Get("Idempotency-Key"), "k")
		equal(t, "body", requests[1].Body, requests[0].Body)
		equal(t, "kept", len(keptKeys(t, store)), 0)
	}
}

func TestTheFeedHasPartsBehindItsResource(t *testing.T) {
	served := startScript(t, answerWith(200, `{"object":"list","data":[],"has_more":false,"next_after":0,"first_sequence":1}`))
	client, _ := newTestClient(t, served.URL, Options{})
	if _, err := client.Events.List(ctx, EventQuery{ExpandResource: true}, WithExpand(PartHistory), WithExpand(PartCard)); err != nil {
		t.Error(err)
	}
	equal(t, "sent", served.all()[0].Path, "/v1/events?expand=resource%2Chistory%2Ccard")
	_, err := client.Events.List(ctx, EventQuery{}, WithExpand(PartHistory))
	if err == nil || !strings.Contains(err.Error(), "need ExpandResource") {
		t.Errorf("parts without a resource: %v", err)
	}
}
