package bestow

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAnOrderIsSentAgainWithItsKeyAndBodyAfterEachFaultThatMayHeal(t *testing.T) {
	date := time.Now().Add(4 * time.Second).UTC().Format(http.TimeFormat)
	for name, test := range map[string]struct {
		faults []step
		least  time.Duration
	}{
		"cut":                 {faults: []step{cut}},
		"cut inside":          {faults: []step{cutInside}},
		"HTML 502":            {faults: []step{answerWith(502, "<html>")}},
		"HTML 500 thrice":     {faults: []step{answerWith(500, "<html>"), answerWith(500, ""), answerWith(500, "x")}},
		"200 empty":           {faults: []step{answerWith(200, "")}},
		"200 HTML":            {faults: []step{answerWith(200, "<html>")}},
		"200 foreign JSON":    {faults: []step{answerWith(200, `{"id":1}`)}},
		"200 list":            {faults: []step{answerWith(200, `[]`)}},
		"id is a number":      {faults: []step{answerWith(200, `{"order_id":1}`)}},
		"500 foreign JSON":    {faults: []step{answerWith(500, `{"error":"x"}`)}},
		"101":                 {faults: []step{switchProtocols}},
		"damaged gzip":        {faults: []step{answerWith(201, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03damaged", "Content-Encoding", "gzip")}},
		"Location is no URL":  {faults: []step{answerWith(302, "", "Location", "http://[::1")}},
		"error object in 200": {faults: []step{answerError(200, TypeInvalidRequest, CodeParameterInvalid)}},
		"408":                 {faults: []step{answerWith(408, "")}},
		"425":                 {faults: []step{answerWith(425, "")}},
		"429 HTML, 2 s":       {faults: []step{answerWith(429, "", "Retry-After", "2")}, least: 2 * time.Second},
		"429 with a date":     {faults: []step{answerError(429, TypeRateLimit, CodeRateLimitExceeded, "Retry-After", date)}, least: 2 * time.Second},
		"locked twice":        {faults: []step{answerError(409, TypeAPI, CodeResourceLocked), answerError(409, TypeAPI, CodeResourceLocked)}},
		"in progress":         {faults: []step{answerError(409, TypeAPI, CodeIdempotencyInProgress)}},
		"internal error":      {faults: []step{answerError(500, TypeAPI, CodeInternalError)}},
		"unknown code, wait":  {faults: []step{answerError(503, TypeAPI, "later_code", "Retry-After", "1")}, least: time.Second},
		"unknown type of 503": {faults: []step{answerError(503, "later_error", "later_code")}},
		"unknown type of 429": {faults: []step{answerError(429, "later_error", "later_code")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			served := startScript(t, append(test.faults, answerWith(200, orderJSON, "Idempotent-Replayed", "true", "Request-Id", "req_2"))...)
			client, clock := newTestClient(t, served.URL, Options{})
			var answer Answer
			order, err := client.Orders.Create(context.Background(), testOrder, WithAnswer(&answer))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "id", order.OrderID, "ord_1")
			equal(t, "attempts", answer.Attempts, len(test.faults)+1)
			equal(t, "replay", answer.IsReplay, true)
			equal(t, "request id", answer.RequestID, "req_2")
			for _, request := range served.all() {
				equal(t, "key", request.Header.Get("Idempotency-Key"), answer.IdempotencyKey)
				equal(t, "body", request.Body, toJSON(t, testOrder))
			}
			for index, pause := range clock.pauses {
				longest := firstPause << index
				if pause < max(longest/2, test.least) || pause > max(longest/2, 5*time.Second)+longest/2 {
					t.Errorf("pause %d is %s", index, pause)
				}
			}
		})
	}
}

func TestWhatARetryCannotHealEndsAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		fault   step
		kind    Kind
		unknown bool
		message string
	}{
		"402":                 {answerError(402, TypeInsufficientBalance, CodeInsufficientBalance), KindAPI, false, "insufficient_balance"},
		"422":                 {answerError(422, TypeInvalidRequest, CodeParameterInvalid), KindAPI, false, "A message."},
		"unknown type of 403": {answerError(403, "permission_error", "key_scope_missing"), KindAPI, false, "req_1"},
		"unknown code":        {answerError(503, TypeAPI, "later_code"), KindAPI, false, "later_code"},
		"HTML 403":            {answerWith(403, "<html>"), KindConnection, true, "HTTP 403"},
		"HTML 404":            {answerWith(404, "<html>"), KindConnection, true, "check the BaseURL and proxies"},
		"no request id":       {answerWith(422, `{"error":{"type":"api_error","code":"internal_error"}}`), KindConnection, true, "HTTP 422"},
		"a long Retry-After":  {answerError(429, TypeRateLimit, CodeRateLimitExceeded, "Retry-After", "3600"), KindAPI, false, ""},
		"an endless one":      {answerError(429, TypeRateLimit, CodeRateLimitExceeded, "Retry-After", strings.Repeat("9", 40)), KindAPI, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			served := startScript(t, test.fault)
			client, _ := newTestClient(t, served.URL, Options{})
			_, err := client.Orders.Create(context.Background(), testOrder, WithIdempotencyKey("k"))
			failure := mustFail(t, err)
			equal(t, "attempts", failure.Attempts, 1)
			equal(t, "kind", failure.Kind, test.kind)
			equal(t, "outcome unknown", failure.OutcomeUnknown, test.unknown)
			equal(t, "key", failure.IdempotencyKey, "k")
			if !strings.Contains(err.Error(), test.message) || strings.Contains(err.Error(), testKey) {
				t.Error(err)
			}
		})
	}
}

func TestAnAnswerMayBeginWithAByteOrderMark(t *testing.T) {
	served := startScript(t, answerWith(201, "\xef\xbb\xbf"+orderJSON))
	client, _ := newTestClient(t, served.URL, Options{}, WithMaxRetries(0))
	if order, err := client.Orders.Create(ctx, testOrder); err != nil || order.OrderID != "ord_1" {
		t.Error(order, err)
	}
}

func TestAValueOfAnotherTypeIsAnErrorThatNamesItsField(t *testing.T) {
	served := startScript(t, answerWith(201, strings.Replace(orderJSON, "2500", `"2500"`, 1)))
	client, _ := newTestClient(t, served.URL, Options{})
	_, err := client.Orders.Create(ctx, testOrder)
	failure := mustFail(t, err)
	equal(t, "attempts", failure.Attempts, 1)
	equal(t, "outcome unknown", failure.OutcomeUnknown, true)
	if failure.IdempotencyKey == "" || !strings.Contains(err.Error(), "gifts.amount") {
		t.Error(err)
	}
}

func TestARedirectIsNotFollowedSoTheKeyGoesNowhereElse(t *testing.T) {
	other := startScript(t, placed)
	served := startScript(t, answerWith(302, "", "Location", other.URL+"/login?secret=1"))
	follow := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	client, _ := newTestClient(t, served.URL, Options{HTTPClient: follow})
	_, err := client.Gifts.Retrieve(context.Background(), "gift_1")
	equal(t, "attempts of a read", mustFail(t, err).Attempts, 1)
	_, err = client.Orders.Create(context.Background(), testOrder)
	equal(t, "attempts", mustFail(t, err).Attempts, 1)
	if len(other.all()) != 0 || !strings.Contains(err.Error(), "redirects to "+other.URL) || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

func TestAnActThatCouldHappenTwiceIsSentOnceWithoutAnAnswer(t *testing.T) {
	ctx := context.Background()
	for name, act := range map[string]func(*Client) error{
		"deliver": func(client *Client) error { _, err := client.Sandbox.Deliver(ctx, "gift_1", Delivered); return err },
		"claim":   func(client *Client) error { _, err := client.Sandbox.Claim(ctx, "gift_1"); return err },
		"reset":   func(client *Client) error { _, err := client.Sandbox.Reset(ctx); return err },
		"test":    func(client *Client) error { _, err := client.WebhookEndpoints.Test(ctx, "wh_1"); return err },
		"delete":  func(client *Client) error { _, err := client.Contacts.Delete(ctx, "con_1"); return err },
		"remove":  func(client *Client) error { return client.WebhookEndpoints.Delete(ctx, "wh_1") },
		"later":   func(client *Client) error { return client.Do(ctx, "post", "/v1/later", nil, nil) },
	} {
		served := startScript(t, answerError(409, TypeAPI, CodeResourceLocked), cut)
		client, _ := newTestClient(t, served.URL, Options{})
		failure := mustFail(t, act(client))
		// The error object of the first attempt says that nothing happened, so there is a second one.
		equal(t, name+": attempts", failure.Attempts, 2)
		equal(t, name+": outcome unknown", failure.OutcomeUnknown, true)
	}
}

func TestReadsAreRetriedFourTimesAndNeverUnknown(t *testing.T) {
	served := startScript(t, answerWith(502, ""))
	client, _ := newTestClient(t, served.URL, Options{})
	_, err := client.Gifts.Retrieve(context.Background(), "gift_1")
	failure := mustFail(t, err)
	equal(t, "attempts", failure.Attempts, 5)
	equal(t, "outcome unknown", failure.OutcomeUnknown, false)
	equal(t, "status", failure.Status, 502)
}

func TestGivenRetriesBindEveryCall(t *testing.T) {
	served := startScript(t, answerWith(502, ""))
	client, _ := newTestClient(t, served.URL, Options{}, WithMaxRetries(2))
	_, err := client.Orders.Create(context.Background(), testOrder)
	equal(t, "of the client", mustFail(t, err).Attempts, 3)
	_, err = client.With(WithMaxRetries(1)).Orders.Create(context.Background(), testOrder)
	equal(t, "of another client", mustFail(t, err).Attempts, 2)
	_, err = client.Orders.Create(context.Background(), testOrder, WithMaxRetries(0))
	equal(t, "of the call", mustFail(t, err).Attempts, 1)
}

func TestTheOutcomeStaysUnknownAfterALaterError(t *testing.T) {
	served := startScript(t, cut, answerError(402, TypeInsufficientBalance, CodeInsufficientBalance))
	client, _ := newTestClient(t, served.URL, Options{})
	_, err := client.Orders.Create(context.Background(), testOrder)
	failure := mustFail(t, err)
	equal(t, "code", failure.Code, CodeInsufficientBalance)
	equal(t, "outcome unknown", failure.OutcomeUnknown, true)

	dying := startScript(t, cut)
	client, _ = newTestClient(t, dying.URL, Options{OnAttempt: func(Attempt) { _ = dying.Listener.Close() }})
	_, err = client.Orders.Create(context.Background(), testOrder)
	failure = mustFail(t, err)
	if !failure.OutcomeUnknown || failure.Attempts < 2 || !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
}

func TestAnOrderIsRetriedUntilTheTimeLimit(t *testing.T) {
	served := startScript(t, answerWith(502, ""))
	client, clock := newTestClient(t, served.URL, Options{})
	_, err := client.Orders.Create(context.Background(), testOrder)
	failure := mustFail(t, err)
	if clock.skipped > 60*time.Second || clock.skipped < 45*time.Second || failure.Attempts < 9 {
		t.Errorf("%d attempts in %s", failure.Attempts, clock.skipped)
	}
}
