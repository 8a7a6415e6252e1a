package bestow

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

const testKey = "bestow-sandbox-key-of-tests"

const (
	orderJSON = `{"order_id":"ord_1","status":"processed","gifts":[{"gift_id":"gift_1","amount":2500,"category":"coffee","delivery":{"method":"link","status":"sent","link":"https://gifts.test/g/1"}}]}`
	giftJSON  = `{"gift_id":"gift_1","amount":2500,"category":"coffee","delivery":{"method":"link","status":"sent"}}`
	emptyList = `{"object":"list","data":[],"has_more":false}`
)

var ctx = context.Background()

var testOrder = OrderInput{Gifts: []GiftInput{{Amount: 2500, Category: "coffee", Delivery: ByLink()}}}

// received is a request as the service got it.
type received struct {
	Method, Path, Body string
	Header             http.Header
}

// step answers one request.
type step func(http.ResponseWriter, *http.Request)

// script answers requests with its steps, in order; the last one answers all further requests.
type script struct {
	*httptest.Server
	mutex    sync.Mutex
	requests []received
}

func startScript(t *testing.T, steps ...step) *script {
	t.Helper()
	served := &script{}
	served.Server = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		served.mutex.Lock()
		number := len(served.requests)
		served.requests = append(served.requests, received{request.Method, request.URL.RequestURI(), string(body), request.Header})
		served.mutex.Unlock()
		steps[min(number, len(steps)-1)](answer, request)
	}))
	t.Cleanup(func() {
		served.CloseClientConnections()
		served.Close()
	})
	return served
}

func (served *script) all() []received {
	served.mutex.Lock()
	defer served.mutex.Unlock()
	return append([]received(nil), served.requests...)
}

// answerWith answers with a body; the headers are pairs of name and value.
func answerWith(status int, body string, headers ...string) step {
	return func(answer http.ResponseWriter, _ *http.Request) {
		for index := 0; index < len(headers); index += 2 {
			answer.Header().Set(headers[index], headers[index+1])
		}
		answer.WriteHeader(status)
		_, _ = io.WriteString(answer, body)
	}
}

func answerError(status int, kind, code string, headers ...string) step {
	body := fmt.Sprintf(`{"error":{"type":%q,"code":%q,"message":"A message.","request_id":"req_1"}}`, kind, code)
	return answerWith(status, body, headers...)
}

var (
	placed = answerWith(201, orderJSON)
	// cut closes the connection after the request was read.
	cut step = func(answer http.ResponseWriter, _ *http.Request) {
		connection, _, _ := answer.(http.Hijacker).Hijack()
		_ = connection.Close()
	}
	cutInside step = func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("Content-Length", fmt.Sprint(len(orderJSON)))
		_, _ = io.WriteString(answer, orderJSON[:20])
		_ = http.NewResponseController(answer).Flush()
		panic(http.ErrAbortHandler)
	}
	// switchProtocols answers 101 and keeps the connection open.
	switchProtocols step = func(answer http.ResponseWriter, request *http.Request) {
		connection, _, _ := answer.(http.Hijacker).Hijack()
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
	}
	hang step = func(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }
	// trickle sends a byte every ten milliseconds, without end.
	trickle step = func(answer http.ResponseWriter, request *http.Request) {
		for request.Context().Err() == nil {
			_, _ = io.WriteString(answer, " ")
			_ = http.NewResponseController(answer).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}
)

// testClock moves by the pauses, which it records, instead of waiting.
type testClock struct {
	mutex   sync.Mutex
	skipped time.Duration
	pauses  []time.Duration
}

func (clock *testClock) now() time.Time {
	clock.mutex.Lock()
	defer clock.mutex.Unlock()
	return time.Now().Add(clock.skipped)
}

func (clock *testClock) sleep(_ context.Context, pause time.Duration) {
	clock.mutex.Lock()
	defer clock.mutex.Unlock()
	clock.skipped += pause
	clock.pauses = append(clock.pauses, pause)
}

// newTestClient has a transport of its own, so that every test begins with new connections.
func newTestClient(t *testing.T, address string, options Options, defaults ...CallOption) (*Client, *testClock) {
	t.Helper()
	options.Key, options.BaseURL = testKey, address
	if options.HTTPClient == nil {
		transport := &http.Transport{MaxIdleConnsPerHost: 100}
		t.Cleanup(transport.CloseIdleConnections)
		options.HTTPClient = &http.Client{Transport: transport}
	}
	client, err := New(options, defaults...)
	if err != nil {
		t.Fatal(err)
	}
	clock := &testClock{}
	client.connection.now, client.connection.sleep = clock.now, clock.sleep
	return client, clock
}

// mustFail returns the error of a call as an *Error.
func mustFail(t *testing.T, err error) *Error {
	t.Helper()
	failure, isError := err.(*Error)
	if !isError {
		t.Fatalf("no *Error: %v", err)
	}
	return failure
}

func equal[Value comparable](t *testing.T, what string, got, want Value) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func toJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
