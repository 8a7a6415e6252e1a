// Package bestowtest answers unit tests from memory: no service, no network, no waiting. Test addresses of the sandbox,
// replays, errors, lists and events are the service's; its guarantees under load are not.
package bestowtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"bestow.example/bestow"
)

const (
	fakeAddress    = "https://bestow.test"
	defaultBalance = 100_000_000
	pollInterval   = 5 * time.Millisecond
	slowAnswer     = 5 * time.Second
)

// Options of [NewFakeBestow]. The zero value has a million dollars.
type Options struct {
	// Balance is what the sandbox can spend, in cents; a million dollars if it is 0, and nothing if it is below 0.
	Balance int64
	// OrganizationName is the sender of gifts without a SenderName.
	OrganizationName string
	// Store keeps orders, as of [bestow.Options].
	Store bestow.Store
}

// FakeBestow is a client that answers itself. Give its Client to your program. Pauses between attempts move its clock.
// It is safe for use by several goroutines, and a RoundTripper for programs that make their own client.
type FakeBestow struct {
	*bestow.Client
	test    testing.TB
	service *service
}

// NewFakeBestow returns a fake. What it does not have fails the test.
func NewFakeBestow(test testing.TB, options Options) *FakeBestow {
	test.Helper()
	name := options.OrganizationName
	if name == "" {
		name = "Demo Organization"
	}
	fake := &FakeBestow{test: test, service: newService(name)}
	client, err := bestow.New(bestow.Options{
		Key:        "bestow-sandbox-fake",
		BaseURL:    fakeAddress,
		HTTPClient: &http.Client{Transport: fake},
		Store:      options.Store,
	})
	if err != nil {
		test.Fatal(err)
	}
	fake.Client = client
	switch {
	case options.Balance > 0:
		fake.AddFunds(options.Balance)
	case options.Balance == 0:
		fake.AddFunds(defaultBalance)
	}
	return fake
}

// Requests returns every request so far, oldest first: what your program sent, and how often.
func (fake *FakeBestow) Requests() []Request {
	fake.service.mutex.Lock()
	defer fake.service.mutex.Unlock()
	return append([]Request(nil), fake.service.requests...)
}

// Pushes returns every push to a webhook endpoint so far, oldest first; give them to your receiver. They are signed.
func (fake *FakeBestow) Pushes() []Push {
	fake.service.mutex.Lock()
	defer fake.service.mutex.Unlock()
	return append([]Push(nil), fake.service.memory.pushes...)
}

// AddFunds adds cents to the balance.
func (fake *FakeBestow) AddFunds(cents int64) {
	fake.service.mutex.Lock()
	defer fake.service.mutex.Unlock()
	memory := fake.service.memory
	entry := memory.post("funding", cents, object{})
	memory.emit("balance.funded", object{
		"kind": "funding", "amount": cents, "balance": memory.balance, "entry_id": entry["entry_id"],
	})
}

// Advance moves the clock: orders complete, gifts that wait are sent.
func (fake *FakeBestow) Advance(duration time.Duration) {
	fake.service.mutex.Lock()
	defer fake.service.mutex.Unlock()
	fake.service.memory.ahead += duration
}

// FailNext refuses the next call with this error, such as internal_error; call it again for each further one. With
// response_lost the call is done, and its answer is lost.
func (fake *FakeBestow) FailNext(code string) {
	fake.service.mutex.Lock()
	defer fake.service.mutex.Unlock()
	if _, isKnown := rules.Errors[code]; !isKnown && code != responseLost {
		fake.test.Errorf("bestowtest: the service has no error %q", code)
	}
	fake.service.failures = append(fake.service.failures, code)
}

// Pause moves the clock; the client calls it between attempts.
func (fake *FakeBestow) Pause(_ context.Context, pause time.Duration) { fake.Advance(pause) }

// RoundTrip answers a request.
func (fake *FakeBestow) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		defer request.Body.Close()
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	asked := Request{
		Method: request.Method, Path: request.URL.RequestURI(), Body: body,
		IdempotencyKey: request.Header.Get("Idempotency-Key"),
	}
	_, asked.hasKey = request.Header[http.CanonicalHeaderKey("Idempotency-Key")]
	seconds, _ := strconv.Atoi(request.URL.Query().Get("wait"))
	until := time.Now().Add(time.Duration(seconds) * time.Second)
	for time.Now().Before(until) && fake.service.waits(asked) {
		select {
		case <-request.Context().Done():
			return nil, request.Context().Err()
		case <-time.After(pollInterval):
		}
	}
	answered := fake.service.answer(asked)
	if answered.missing != "" {
		fake.test.Errorf("bestowtest: FakeBestow does not have %s; test it with a real Bestow", answered.missing)
	}
	if answered.isLost {
		return nil, fmt.Errorf("bestowtest: the test lost the answer: %w", io.ErrUnexpectedEOF)
	}
	if answered.isSlow && fake.isTooSlow(request.Context()) {
		return nil, context.DeadlineExceeded
	}
	return answered.response(request)
}

// isTooSlow moves the clock by a slow answer, or until the caller does not wait any longer.
func (fake *FakeBestow) isTooSlow(ctx context.Context) bool {
	takes := slowAnswer
	if deadline, hasDeadline := ctx.Deadline(); hasDeadline {
		takes = min(takes, time.Until(deadline))
	}
	fake.Advance(takes)
	return takes < slowAnswer
}

func (answered answer) response(request *http.Request) (*http.Response, error) {
	encoded, err := json.Marshal(answered.body)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range answered.header {
		header.Set(name, value)
	}
	return &http.Response{
		StatusCode: answered.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(bytes.NewReader(encoded)), ContentLength: int64(len(encoded)), Request: request,
	}, nil
}
