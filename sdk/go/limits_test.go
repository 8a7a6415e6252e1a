package bestow

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestAnAttemptThatHangsOrTricklesEndsWithItsTimeLimit(t *testing.T) {
	for name, fault := range map[string]step{"hang": hang, "trickle": trickle} {
		served := startScript(t, fault, placed)
		client, _ := newTestClient(t, served.URL, Options{}, WithAttemptTimeout(50*time.Millisecond))
		var answer Answer
		if _, err := client.Orders.Create(context.Background(), testOrder, WithAnswer(&answer)); err != nil {
			t.Fatal(name, err)
		}
		equal(t, name+": attempts", answer.Attempts, 2)
	}
}

func TestAResetAndAWaitForEventsMayTakeLongerThanAnAttempt(t *testing.T) {
	slow := func(body string) step {
		return func(answer http.ResponseWriter, request *http.Request) {
			time.Sleep(60 * time.Millisecond)
			answerWith(200, body)(answer, request)
		}
	}
	served := startScript(t, slow(`{"object":"sandbox_reset","orders_deleted":3}`), slow(emptyList))
	client, _ := newTestClient(t, served.URL, Options{}, WithAttemptTimeout(20*time.Millisecond))
	if result, err := client.Sandbox.Reset(ctx); err != nil || result.OrdersDeleted != 3 {
		t.Error(result, err)
	}
	if _, err := client.Events.List(ctx, EventQuery{Wait: time.Second}); err != nil {
		t.Error(err)
	}
	equal(t, "requests", len(served.all()), 2)
}

func TestACallEndsWithItsTimeLimitWhateverTheServerDoes(t *testing.T) {
	for name, fault := range map[string]step{"hang": hang, "trickle": trickle} {
		served := startScript(t, fault)
		client, _ := newTestClient(t, served.URL, Options{})
		start := time.Now()
		_, err := client.Orders.Create(context.Background(), testOrder, WithTimeout(50*time.Millisecond))
		failure := mustFail(t, err)
		equal(t, name+": kind", failure.Kind, KindTimeout)
		equal(t, name+": outcome unknown", failure.OutcomeUnknown, true)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "within 50ms") {
			t.Error(err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func TestTheCallersContextEndsACall(t *testing.T) {
	reason := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(context.Background())
	served := startScript(t, func(_ http.ResponseWriter, request *http.Request) {
		cancel(reason)
		<-request.Context().Done()
	})
	client, _ := newTestClient(t, served.URL, Options{})
	_, err := client.Orders.Create(ctx, testOrder)
	failure := mustFail(t, err)
	equal(t, "kind", failure.Kind, KindCanceled)
	equal(t, "outcome unknown", failure.OutcomeUnknown, true)
	equal(t, "attempts", failure.Attempts, 1)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, reason) {
		t.Error(err)
	}
	_, err = client.Orders.Create(ctx, testOrder)
	failure = mustFail(t, err)
	equal(t, "attempts after the end", failure.Attempts, 0)
	equal(t, "outcome unknown after the end", failure.OutcomeUnknown, false)
}

func TestTheCallersContextEndsAPause(t *testing.T) {
	served := startScript(t, answerWith(502, ""))
	client, _ := newTestClient(t, served.URL, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	client.connection.sleep = func(ctx context.Context, pause time.Duration) {
		cancel()
		sleep(ctx, pause)
	}
	_, err := client.Orders.Create(ctx, testOrder)
	equal(t, "kind", mustFail(t, err).Kind, KindCanceled)
	equal(t, "outcome unknown", mustFail(t, err).OutcomeUnknown, true)
}

func TestADeadlineThatLeavesNoTimeForAPauseReturnsTheErrorAtOnce(t *testing.T) {
	served := startScript(t, answerError(429, TypeRateLimit, CodeRateLimitExceeded, "Retry-After", "5"))
	client, _ := newTestClient(t, served.URL, Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	_, err := client.Orders.Create(ctx, testOrder)
	failure := mustFail(t, err)
	equal(t, "code", failure.Code, CodeRateLimitExceeded)
	equal(t, "wait", failure.RetryAfter, 5*time.Second)
	equal(t, "attempts", failure.Attempts, 1)
}

func TestAWrongAddressEndsWithinTwoSecondsAndNothingWasSent(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	plain := startScript(t, placed)
	for name, test := range map[string]struct {
		address  string
		attempts int
	}{
		"nothing listens":  {closed.URL, 4},
		"untrusted":        {untrusted.URL, 1},
		"https to a plain": {strings.Replace(plain.URL, "http:", "https:", 1), 1},
	} {
		client, clock := newTestClient(t, test.address, Options{})
		_, err := client.Orders.Create(context.Background(), testOrder)
		failure := mustFail(t, err)
		equal(t, name+": outcome unknown", failure.OutcomeUnknown, false)
		if failure.Attempts > test.attempts || clock.skipped > 2*time.Second || failure.Unwrap() == nil {
			t.Errorf("%s: %d attempts in %s: %v", name, failure.Attempts, clock.skipped, err)
		}
	}
}

func TestAServiceThatHasAnsweredMayRestart(t *testing.T) {
	served := startScript(t, placed)
	client, clock := newTestClient(t, served.URL, Options{})
	if _, err := client.Orders.Create(context.Background(), testOrder); err != nil {
		t.Fatal(err)
	}
	address := served.Listener.Addr().String()
	served.Close()
	client.connection.sleep = func(ctx context.Context, pause time.Duration) {
		clock.sleep(ctx, pause)
		if clock.skipped > 20*time.Second {
			again, err := net.Listen("tcp", address)
			if err != nil {
				return // The next pause tries again.
			}
			server := &http.Server{Handler: served.Config.Handler}
			t.Cleanup(func() { _ = server.Close() })
			go func() { _ = server.Serve(again) }()
		}
	}
	if _, err := client.Orders.Create(context.Background(), testOrder); err != nil {
		t.Fatal(err)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (send transport) RoundTrip(request *http.Request) (*http.Response, error) { return send(request) }

func TestAMistakeInATransportOfTheCallerEndsTheCallWithItsCause(t *testing.T) {
	mistake := errors.New("no token in the vault")
	calls := 0
	client, _ := newTestClient(t, "https://service.test", Options{HTTPClient: &http.Client{
		Transport: transport(func(*http.Request) (*http.Response, error) { calls++; return nil, mistake }),
	}})
	_, err := client.Orders.Create(context.Background(), testOrder)
	failure := mustFail(t, err)
	equal(t, "outcome unknown", failure.OutcomeUnknown, true)
	if !errors.Is(err, mistake) || calls != 1 || failure.IdempotencyKey == "" {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestFaultsOfTheNetworkInATransportOfTheCallerAreRetriedAndUnknown(t *testing.T) {
	for _, fault := range []error{
		io.EOF, io.ErrUnexpectedEOF, &net.OpError{Op: "dial", Err: errors.New("refused")},
		errors.New("net/http: HTTP/1.x transport connection broken"), errors.New(`malformed HTTP response "x"`),
	} {
		client, _ := newTestClient(t, "https://service.test", Options{HTTPClient: &http.Client{
			Transport: transport(func(*http.Request) (*http.Response, error) { return nil, fault }),
		}}, WithMaxRetries(1))
		_, err := client.Orders.Create(context.Background(), testOrder)
		failure := mustFail(t, err)
		equal(t, "attempts", failure.Attempts, 2)
		equal(t, "outcome unknown", failure.OutcomeUnknown, true)
		if !errors.Is(err, fault) {
			t.Error(err)
		}
	}
}

func TestConnectionsAreReusedAlsoAfterErrors(t *testing.T) {
	served := startScript(t, placed, answerWith(502, strings.Repeat("x", 100_000)), answerError(422, TypeInvalidRequest, CodeParameterInvalid), placed)
	var opened atomic.Int32
	dialer := &net.Dialer{}
	own := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		opened.Add(1)
		return dialer.DialContext(ctx, network, address)
	}, TLSClientConfig: &tls.Config{}}
	defer own.CloseIdleConnections()
	client, _ := newTestClient(t, served.URL, Options{HTTPClient: &http.Client{Transport: own}})
	for range 10 {
		_, _ = client.Orders.Create(context.Background(), testOrder)
	}
	equal(t, "connections", opened.Load(), 1)
}

func TestTheTransportOfTheClientUsesNoHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		answerWith(200, strings.Replace(orderJSON, "ord_1", request.Proto, 1))(answer, request)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	own := sharedTransport.Clone()
	own.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	own.ForceAttemptHTTP2 = true // As it is without TLSClientConfig.
	defer own.CloseIdleConnections()
	client, _ := newTestClient(t, server.URL, Options{HTTPClient: &http.Client{Transport: own}})
	order, err := client.Orders.Create(ctx, testOrder)
	if err != nil || order.OrderID != "HTTP/1.1" {
		t.Error(order, err)
	}
}

func TestALostConnectionThatWasReusedIsAnAttemptLikeAnyOther(t *testing.T) {
	served := startScript(t, placed, cut, placed)
	client, clock := newTestClient(t, served.URL, Options{})
	for _, attempts := range []int{1, 2} {
		var answer Answer
		if _, err := client.Orders.Create(ctx, testOrder, WithAnswer(&answer)); err != nil {
			t.Fatal(err)
		}
		equal(t, "attempts", answer.Attempts, attempts)
	}
	equal(t, "pauses", len(clock.pauses), 1)
}

func TestManyGoroutinesUseOneClientAndNoneIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	served := startScript(t, cut, answerWith(502, ""), placed)
	own := &http.Transport{MaxIdleConnsPerHost: 100}
	client, _ := newTestClient(t, served.URL, Options{HTTPClient: &http.Client{Transport: own}})
	var group sync.WaitGroup
	for range 50 {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := client.Orders.Create(context.Background(), testOrder); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	keys := map[string]bool{}
	for _, request := range served.all() {
		keys[request.Header.Get("Idempotency-Key")] = true
	}
	equal(t, "keys", len(keys), 50)
	own.CloseIdleConnections()
	served.Close()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
