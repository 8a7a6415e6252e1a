package bestowtest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bestow.example/bestow"
	"bestow.example/bestow/bestowtest"
)

var ctx = context.Background()

func orderTo(localPart string) bestow.OrderInput {
	delivery := bestow.ByEmail(localPart + "@sandbox.gift.test")
	return bestow.OrderInput{Gifts: []bestow.GiftInput{{Amount: 2500, Category: "coffee", Delivery: delivery}}}
}

func available(t *testing.T, client *bestow.Client) int64 {
	t.Helper()
	balance, err := client.Balance.Retrieve(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return balance.Available
}

func thank(client *bestow.Client) (string, error) {
	order, err := client.Orders.Create(ctx, orderTo("claimed"))
	if err != nil {
		return "", err
	}
	return string(order.Gifts[0].Delivery.Status), nil
}

func TestAProgramThatTakesAClientTakesAFake(t *testing.T) {
	status, err := thank(bestowtest.NewFakeBestow(t, bestowtest.Options{}).Client)
	if err != nil || status != "claimed" {
		t.Fatal(status, err)
	}
}

func TestAFakeSaysWhatItWasAsked(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	if _, err := fake.Orders.Create(ctx, orderTo("response-lost"), bestow.WithIdempotencyKey("visit-1")); err != nil {
		t.Fatal(err)
	}
	requests := fake.Requests()
	if len(requests) != 2 || requests[0].IdempotencyKey != "visit-1" || requests[1].IdempotencyKey != "visit-1" {
		t.Fatal(requests)
	}
	if available(t, fake.Client) != 100_000_000-2_500 {
		t.Fatal("the order was placed twice")
	}
}

func TestPausesMoveTheClockOfAFake(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	if _, err := fake.Orders.Create(ctx, orderTo("rate-limited")); err != nil {
		t.Fatal(err)
	}
	balance, err := fake.Balance.Retrieve(ctx)
	if err != nil || !balance.LastEntry.CreatedAt.After(time.Now()) {
		t.Fatal(balance, err)
	}
}

func TestAFakeFailsTheNextCall(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	fake.FailNext("organization_suspended")
	var refused *bestow.Error
	if _, err := fake.Balance.Retrieve(ctx); !errors.As(err, &refused) || refused.Code != "organization_suspended" {
		t.Fatal(err)
	}
	fake.FailNext("response_lost")
	_, err := fake.Orders.Create(ctx, orderTo("ada"), bestow.WithMaxRetries(0))
	if !errors.As(err, &refused) || !refused.OutcomeUnknown {
		t.Fatal(err)
	}
	if available(t, fake.Client) != 100_000_000-2_500 {
		t.Fatal("the order whose answer was lost was not placed")
	}
}

func TestThePushesOfAFakeAreSigned(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	endpoint, err := fake.WebhookEndpoints.Create(ctx, bestow.WebhookEndpointInput{
		URL: "https://shop.example/hook", Types: []string{bestow.EventGiftClaimed},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := thank(fake.Client); err != nil {
		t.Fatal(err)
	}
	pushes := fake.Pushes()
	if len(pushes) != 1 {
		t.Fatal(pushes)
	}
	event, err := bestow.VerifyWebhook(pushes[0].Body, pushes[0].Header, endpoint.Secret)
	if err != nil || event.Type != bestow.EventGiftClaimed {
		t.Fatal(event, err)
	}
	if _, err := bestow.VerifyWebhook(append(pushes[0].Body, ' '), pushes[0].Header, endpoint.Secret); err == nil {
		t.Fatal("a changed body was accepted")
	}
}

func TestAStreamOfAFakeWaitsForEvents(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	limited, stop := context.WithCancel(ctx)
	defer stop()
	seen := make(chan string, 1)
	go func() {
		stream := bestow.StreamQuery{Types: []string{bestow.EventGiftClaimed}}
		for event, err := range fake.Events.Stream(limited, stream) {
			if err == nil {
				seen <- event.Type
			}
			return
		}
	}()
	if _, err := thank(fake.Client); err != nil {
		t.Fatal(err)
	}
	if kind := <-seen; kind != bestow.EventGiftClaimed {
		t.Fatal(kind)
	}
}

// program records what fails a test.
type program struct {
	testing.TB
	failures *[]string
}

func (one program) Errorf(format string, arguments ...any) {
	*one.failures = append(*one.failures, format+" "+strings.TrimSpace(arguments[0].(string)))
}

func TestWhatAFakeDoesNotHaveFailsTheTest(t *testing.T) {
	var failures []string
	fake := bestowtest.NewFakeBestow(program{t, &failures}, bestowtest.Options{})
	if _, err := fake.Ledger.Checkpoint(ctx); err == nil {
		t.Fatal("the fake has checkpoints")
	}
	if len(failures) != 1 || !strings.Contains(failures[0], "retrieveLedgerCheckpoint") {
		t.Fatal(failures)
	}
}

func TestOrdersAtOnceThroughAFakeAreChargedOnceEach(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{Balance: 25_000})
	var running sync.WaitGroup
	var placed atomic.Int64
	for number := range 40 {
		running.Add(1)
		go func() {
			defer running.Done()
			key := bestow.WithIdempotencyKey("k" + string(rune('a'+number%20)))
			if _, err := fake.Orders.Create(ctx, orderTo("ada"), key); err == nil {
				placed.Add(1)
			}
		}()
	}
	running.Wait()
	if placed.Load() != 20 || available(t, fake.Client) != 0 {
		t.Fatal(placed.Load())
	}
}

func kindOf(t *testing.T, err error) bestow.Kind {
	t.Helper()
	var failure *bestow.Error
	if !errors.As(err, &failure) {
		t.Fatal(err)
	}
	return failure.Kind
}

func TestACallOfAFakeGivesUpAsARealOneDoes(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	_, err := fake.Orders.Create(ctx, orderTo("internal-error"))
	var failure *bestow.Error
	if !errors.As(err, &failure) || failure.Code != "internal_error" {
		t.Fatal(err)
	}
	if attempts := len(fake.Requests()); attempts < 5 || attempts > 30 {
		t.Fatal(attempts)
	}
	for range 70 {
		fake.FailNext("internal_error")
	}
	_, err = fake.Orders.Create(ctx, orderTo("ada"), bestow.WithTimeout(5*time.Second))
	if kindOf(t, err) != bestow.KindAPI {
		t.Fatal(err)
	}
}

func TestASlowAnswerOfAFakeTakesFiveSecondsOfItsClock(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	var answer bestow.Answer
	second := bestow.WithAttemptTimeout(time.Second)
	_, err := fake.Orders.Create(ctx, orderTo("slow"), second, bestow.WithAnswer(&answer))
	if err != nil || answer.Attempts != 2 || !answer.IsReplay {
		t.Fatal(answer, err)
	}
	_, err = fake.Orders.Create(ctx, orderTo("slow"), second, bestow.WithMaxRetries(0))
	if kindOf(t, err) != bestow.KindTimeout {
		t.Fatal(err)
	}
	_, err = fake.Orders.Create(ctx, orderTo("slow"), bestow.WithTimeout(2*time.Second))
	if kindOf(t, err) != bestow.KindTimeout {
		t.Fatal(err)
	}
	if _, err = fake.Orders.Create(ctx, orderTo("slow"), bestow.WithMaxRetries(0)); err != nil {
		t.Fatal(err)
	}
}

func TestAWaitForAnOrderOfAFakeEndsAtItsLimit(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	order, err := fake.Orders.Create(ctx, orderTo("processing"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = fake.Orders.WaitUntilProcessed(ctx, order.OrderID, bestow.WithTimeout(5*time.Second)); kindOf(t, err) != bestow.KindTimeout {
		t.Fatal(err)
	}
	if order, err = fake.Orders.WaitUntilProcessed(ctx, order.OrderID); err != nil || order.Status != bestow.OrderProcessed {
		t.Fatal(order, err)
	}
}

func TestADisabledEndpointOfAFakeGetsNoPush(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	endpoint, err := fake.WebhookEndpoints.Create(ctx, bestow.WebhookEndpointInput{
		URL: "https://shop.example/", Types: []string{bestow.EventGiftClaimed},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{"disabled", "enabled"} {
		path := "/v1/webhook_endpoints/" + endpoint.EndpointID
		if err := fake.Do(ctx, "PATCH", path, map[string]string{"status": status}, nil); err != nil {
			t.Fatal(err)
		}
		if status == "enabled" {
			break
		}
		if _, err := thank(fake.Client); err != nil || len(fake.Pushes()) != 0 {
			t.Fatal(fake.Pushes(), err)
		}
	}
	if len(fake.Pushes()) != 1 {
		t.Fatal(fake.Pushes())
	}
}

func TestAnEndpointOfAFakeIsEnabledAndContinuesOrBeginsAgain(t *testing.T) {
	fake := bestowtest.NewFakeBestow(t, bestowtest.Options{})
	input := bestow.WebhookEndpointInput{URL: "https://shop.example/", Types: []string{bestow.EventGiftClaimed}}
	endpoint, err := fake.WebhookEndpoints.Create(ctx, input)
	if err != nil {
		t.Fatal(err)
	}
	change := bestow.WebhookEndpointChange{Status: bestow.EndpointDisabled}
	if _, err := fake.WebhookEndpoints.Update(ctx, endpoint.EndpointID, change); err != nil {
		t.Fatal(err)
	}
	if _, err := thank(fake.Client); err != nil || len(fake.Pushes()) != 0 {
		t.Fatal(fake.Pushes(), err)
	}
	for count, from := range []int64{0, 1} {
		enabled, err := fake.WebhookEndpoints.Enable(ctx, endpoint.EndpointID, from)
		if err != nil || enabled.Status != bestow.EndpointEnabled || len(fake.Pushes()) != count+1 {
			t.Fatal(enabled, fake.Pushes(), err)
		}
	}
	if _, err := fake.WebhookEndpoints.Enable(ctx, endpoint.EndpointID, 10_000); err == nil {
		t.Error("a sequence that does not exist is accepted")
	}
}
