package bestow

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestWrongOptionsAreRefusedAndNoErrorShowsTheKey(t *testing.T) {
	t.Setenv("BESTOW_KEY", "")
	t.Setenv("BESTOW_URL", "")
	for name, options := range map[string]Options{
		"no key":            {BaseURL: "https://a.test"},
		"a blank key":       {Key: " \n", BaseURL: "https://a.test"},
		"a line break":      {Key: "bestow-secret\nX: y", BaseURL: "https://a.test"},
		"no ASCII":          {Key: "bestow-sécret", BaseURL: "https://a.test"},
		"no address":        {Key: testKey},
		"no scheme":         {Key: testKey, BaseURL: "127.0.0.1:3000"},
		"another scheme":    {Key: testKey, BaseURL: "ftp://a.test"},
		"no host":           {Key: testKey, BaseURL: "http://"},
		"no host, a port":   {Key: testKey, BaseURL: "http://:3000"},
		"a user":            {Key: testKey, BaseURL: "https://secret@a.test"},
		"a query":           {Key: testKey, BaseURL: "https://a.test?secret"},
		"a fragment":        {Key: testKey, BaseURL: "https://a.test#secret"},
		"a control":         {Key: testKey, BaseURL: "https://a.test/\x00secret"},
		"an empty fragment": {Key: testKey, BaseURL: "https://a.test#"},
	} {
		client, err := New(options)
		if err == nil || client != nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, address := range []string{"https://a.test/gifts/v1", "https://a.test/gifts/v1/"} {
		_, err := New(Options{Key: testKey, BaseURL: address})
		if err == nil || !strings.HasSuffix(err.Error(), "must end before /v1, which the client adds: https://a.test/gifts") {
			t.Error(err)
		}
	}
	for name, option := range map[string]CallOption{
		"timeout":       WithTimeout(0),
		"attempt":       WithAttemptTimeout(-time.Second),
		"retries":       WithMaxRetries(-1),
		"key":           WithIdempotencyKey("k"),
		"answer":        WithAnswer(new(Answer)),
		"authorization": WithHeader("authorization", "x"),
		"header name":   WithHeader("a b", "x"),
		"header value":  WithHeader("a", "x\r\nb: c"),
	} {
		if _, err := New(Options{Key: testKey, BaseURL: "https://a.test"}, option); err == nil {
			t.Errorf("%s is accepted by New", name)
		}
		client, _ := New(Options{Key: testKey, BaseURL: "https://a.test"})
		if _, err := client.With(option).Gifts.Retrieve(context.Background(), "gift_1"); err == nil || strings.Contains(err.Error(), "dial") {
			t.Errorf("%s is accepted by With: %v", name, err)
		}
	}
}

func TestHTTPOverTheInternetNeedsAPermission(t *testing.T) {
	for _, host := range []string{
		"localhost", "LOCALHOST:3000", "a.localhost", "127.0.0.1", "127.8.9.1:3000", "[::1]:3000", "0.0.0.0", "10.1.2.3",
		"172.16.0.1", "172.31.255.1", "192.168.1.1", "169.254.1.1", "100.64.0.1", "[fd00::1]", "[fe80::1]", "bestow",
		"bestow-1:3000", "gifts.local", "gifts.local.", "host.docker.internal",
	} {
		if _, err := New(Options{Key: testKey, BaseURL: "http://" + host}); err != nil {
			t.Error(err)
		}
	}
	for _, host := range []string{
		"gifts.example.com", "8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "[::ffff:8.8.8.8]", "134744072",
		"0x08080808", "local.example.com", "evil-local.com", "10.example.com", "192.168.1.1.example.com",
	} {
		_, err := New(Options{Key: testKey, BaseURL: "http://" + host})
		if err == nil || !strings.Contains(err.Error(), "http://"+host+" would carry the API key") {
			t.Errorf("%s: %v", host, err)
		}
		for _, options := range []Options{
			{Key: testKey, BaseURL: "https://" + host}, {Key: testKey, BaseURL: "http://" + host, AllowInsecureHTTP: true},
		} {
			if _, err := New(options); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestWrongArgumentsAreRefusedBeforeAnythingIsSent(t *testing.T) {
	served := startScript(t, placed)
	client, _ := newTestClient(t, served.URL, Options{})
	ctx := context.Background()
	for name, call := range map[string]func() error{
		"no id":          func() error { _, err := client.Gifts.Retrieve(ctx, ""); return err },
		"dot":            func() error { _, err := client.Orders.Retrieve(ctx, "."); return err },
		"dots":           func() error { _, err := client.Orders.Cancel(ctx, "..", CancelInput{}); return err },
		"bytes":          func() error { _, err := client.Contacts.Delete(ctx, "\xff"); return err },
		"list of no id":  func() error { _, err := client.WebhookEndpoints.Deliveries(ctx, "", DeliveryQuery{}); return err },
		"no external id": func() error { _, err := client.Orders.FindByExternalID(ctx, ""); return err },
		"no entry":       func() error { _, err := client.Ledger.ProveEntry(ctx, ""); return err },
		"month":          func() error { _, err := client.Ledger.Statement(ctx, "../x"); return err },
		"no time":        func() error { _, err := client.WebhookEndpoints.ResendSince(ctx, "wh_1", time.Time{}); return err },
		"wait":           func() error { _, err := client.Events.List(ctx, EventQuery{Wait: time.Millisecond}); return err },
		"empty key":      func() error { _, err := client.Orders.Create(ctx, testOrder, WithIdempotencyKey("")); return err },
		"long key": func() error {
			_, err := client.Orders.Create(ctx, testOrder, WithIdempotencyKey(strings.Repeat("k", 256)))
			return err
		},
		"blank key": func() error { _, err := client.Orders.Create(ctx, testOrder, WithIdempotencyKey(" k")); return err },
		"foreign key": func() error {
			_, err := client.Orders.Create(ctx, testOrder, WithIdempotencyKey("ключ"))
			return err
		},
		"key of a read":  func() error { _, err := client.Gifts.Retrieve(ctx, "gift_1", WithIdempotencyKey("k")); return err },
		"key of a claim": func() error { _, err := client.Sandbox.Claim(ctx, "gift_1", WithIdempotencyKey("k")); return err },
		"path":           func() error { return client.Do(ctx, "GET", "v1/x", nil, nil) },
		"other host":     func() error { return client.Do(ctx, "GET", "//other.test/x", nil, nil) },
		"method":         func() error { return client.Do(ctx, "G T", "/v1/x", nil, nil) },
		"body":           func() error { return client.Do(ctx, "POST", "/v1/x", make(chan int), nil) },
		"timeout":        func() error { _, err := client.Orders.WaitUntilProcessed(ctx, "ord_1", WithTimeout(0)); return err },
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), "bestow: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	equal(t, "requests", len(served.all()), 0)
}

func TestKeyAndAddressComeFromTheEnvironment(t *testing.T) {
	served := startScript(t, placed)
	t.Setenv("BESTOW_KEY", " "+testKey+"\n")
	t.Setenv("BESTOW_URL", served.URL+"/with/path//")
	client, err := New(Options{}, WithHeader("X-Trace", "1"))
	if err != nil {
		t.Fatal(err)
	}
	other := client.With(WithHeader("X-Trace", "of another client"))
	if _, err := client.Orders.Create(context.Background(), testOrder, WithHeader("x-more", "2"), nil); err != nil || other == client {
		t.Fatal(err)
	}
	request := served.all()[0]
	equal(t, "path", request.Path, "/with/path/v1/orders")
	for name, value := range map[string]string{
		"Authorization": "Bearer " + testKey, "User-Agent": "bestow-sdk-go/" + Version, "Cache-Control": "no-store",
		"Content-Type": "application/json", "X-Trace": "1", "X-More": "2",
	} {
		equal(t, name, request.Header.Get(name), value)
	}
	if key := request.Header.Get("Idempotency-Key"); len(key) != 36 {
		t.Errorf("key %q", key)
	}
}

func TestTheLogAndTheHookTellOfEachAttemptWithoutSecrets(t *testing.T) {
	served := startScript(t, answerWith(502, "", "Request-Id", "req_7"), answerWith(200, emptyList))
	var log bytes.Buffer
	var attempts []Attempt
	client, clock := newTestClient(t, served.URL, Options{
		Logger:    slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		OnAttempt: func(attempt Attempt) { attempts = append(attempts, attempt) },
	})
	if _, err := client.Gifts.List(context.Background(), GiftQuery{Recipient: "ada@example.com"}); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{testKey, "ada", "Bearer"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s in %s", secret, &log)
		}
	}
	for _, fact := range []string{"level=DEBUG", "method=GET", "path=/v1/gifts ", "status=502", "request_id=req_7", "attempt=2", "status=200"} {
		if !strings.Contains(log.String(), fact) {
			t.Errorf("no %s in %s", fact, &log)
		}
	}
	equal(t, "attempts", len(attempts), 2)
	equal(t, "pause", attempts[0].Pause, clock.pauses[0])
	if attempts[0].Err == nil || attempts[0].RequestID != "req_7" || attempts[1].Err != nil || attempts[1].Pause != 0 {
		t.Error(attempts)
	}
}

func TestWaitUntilProcessedReadsUntilTheOrderIsProcessedOrTheTimeIsOver(t *testing.T) {
	processing := answerWith(200, strings.Replace(orderJSON, "processed", OrderProcessing, 1))
	served := startScript(t, processing, processing, placed)
	client, clock := newTestClient(t, served.URL, Options{})
	var answer Answer
	order, err := client.Orders.WaitUntilProcessed(context.Background(), "ord_1", WithAnswer(&answer))
	if err != nil || order.Status != OrderProcessed || len(clock.pauses) != 2 || answer.Status != 201 {
		t.Error(order, err, clock.pauses)
	}
	client, _ = newTestClient(t, startScript(t, processing).URL, Options{})
	_, err = client.Orders.WaitUntilProcessed(context.Background(), "ord_1", WithTimeout(20*time.Second))
	equal(t, "kind", mustFail(t, err).Kind, KindTimeout)
}

func TestNoWayToPrintOptionsShowsTheKey(t *testing.T) {
	options := Options{Key: testKey, BaseURL: "https://gifts.test"}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("start", "options", options, "pointer", &options)
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("start", "options", options, "pointer", &options)
	printed := fmt.Sprintf("%v %+v %#v %s %q %x %v %+v %#v", options, options, options, options, options, options, &options, &options, &options)
	for _, text := range []string{logged.String(), printed} {
		if strings.Contains(text, testKey) || strings.Contains(text, fmt.Sprintf("%x", testKey)) || !strings.Contains(text, "gifts.test") {
			t.Error(text)
		}
	}
}

func TestWhatWouldBeSentAsSomethingElseIsRefusedByItsField(t *testing.T) {
	served := startScript(t, placed)
	client, _ := newTestClient(t, served.URL, Options{})
	wrong := "a\xff"
	order := OrderInput{Gifts: []GiftInput{{}, {Personalization: &Personalization{Message: wrong}}}}
	endpoint := WebhookEndpointInput{URL: "https://a.test", Types: []string{}}
	for words, call := range map[string]func() error{
		"Gifts[1].Personalization.Message is not UTF-8": func() error { _, err := client.Orders.Create(ctx, order); return err },
		"Metadata.team is not UTF-8": func() error {
			_, err := client.Orders.Create(ctx, OrderInput{Metadata: map[string]string{"team": wrong}})
			return err
		},
		"Name is not UTF-8":      func() error { _, err := client.Contacts.Save(ctx, ContactInput{Name: &wrong}); return err },
		"recipient is not UTF-8": func() error { _, err := client.Gifts.List(ctx, GiftQuery{Recipient: wrong}); return err },
		"Types is an empty list; nil stands for all": func() error {
			_, err := client.WebhookEndpoints.Create(ctx, endpoint)
			return err
		},
		"bestow: Types is an empty list": func() error { _, err := client.Events.List(ctx, EventQuery{Types: []string{}}); return err },
		"Types is an empty list": func() error {
			for _, err := range client.Events.Stream(ctx, StreamQuery{Types: []string{}}) {
				return err
			}
			return nil
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
	equal(t, "requests", len(served.all()), 0)
}

func TestAProofCanBeOfAnEarlierSize(t *testing.T) {
	served := startScript(t, answerWith(200, `{"object":"ledger_proof"}`))
	client, _ := newTestClient(t, served.URL, Options{})
	_, _ = client.Ledger.ProveEntryIn(ctx, "entry_1", 5)
	_, _ = client.Ledger.ProveConsistencyBetween(ctx, 3, 5)
	equal(t, "entry", served.all()[0].Path, "/v1/ledger/proof?entry_id=entry_1&size=5")
	equal(t, "consistency", served.all()[1].Path, "/v1/ledger/proof?from_size=3&size=5")
}
