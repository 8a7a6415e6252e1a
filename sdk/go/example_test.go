package bestow_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"bestow.example/bestow"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// exampleClient is the client of a service that answers with a text.
func exampleClient(status int, answer string) (*bestow.Client, func()) {
	service := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		writer.WriteHeader(status)
		_, _ = writer.Write([]byte(answer))
	}))
	client, err := bestow.New(bestow.Options{Key: "bestow-sandbox-key", BaseURL: service.URL})
	if err != nil {
		panic(err)
	}
	return client, service.Close
}

func ExampleOrderService_Create() {
	client, done := exampleClient(201, `{"order_id":"ord_1","status":"processed","gifts":[{"gift_id":"gift_1"}]}`)
	defer done()
	order, err := client.Orders.Create(context.Background(), bestow.OrderInput{
		Gifts: []bestow.GiftInput{{Amount: 2500, Category: "coffee", Delivery: bestow.ByEmail("ada@example.com")}},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(order.OrderID, order.Status)
	// Output: ord_1 processed
}

func ExampleError() {
	client, done := exampleClient(402, `{"error":{"type":"insufficient_balance_error","code":"insufficient_balance","message":"Add funds.","request_id":"req_1"}}`)
	defer done()
	_, err := client.Orders.Create(context.Background(), bestow.OrderInput{}, bestow.WithIdempotencyKey("reward-117"))
	var failure *bestow.Error
	if errors.As(err, &failure) && failure.Code == bestow.CodeInsufficientBalance {
		fmt.Println("again with", failure.IdempotencyKey, failure.OutcomeUnknown)
	}
	fmt.Println(err)
	// Output:
	// again with reward-117 false
	// bestow: insufficient_balance: Add funds. (req_1)
}

func ExampleGiftService_All() {
	client, done := exampleClient(200, `{"object":"list","data":[{"gift_id":"gift_2"},{"gift_id":"gift_1"}],"has_more":false}`)
	defer done()
	for gift, err := range client.Gifts.All(context.Background(), bestow.GiftQuery{Status: bestow.GiftClaimed}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(gift.GiftID)
	}
	// Output:
	// gift_2
	// gift_1
}

func ExampleEventService_Stream() {
	client, done := exampleClient(200, `{"object":"list","data":[{"type":"gift.claimed","sequence":7,"data":{"gift_id":"gift_1"}}],"next_after":7}`)
	defer done()
	after := int64(6) // Read it from your database.
	for event, err := range client.Events.Stream(context.Background(), bestow.StreamQuery{After: &after}) {
		if err != nil {
			panic(err)
		}
		// Store event.Sequence together with your own change.
		fmt.Println(event.Sequence, event.Type, event.Data.GiftID)
		break
	}
	// Output: 7 gift.claimed gift_1
}

func ExampleVerifyWebhook() {
	body := []byte(`{"type":"gift.claimed","event_id":"evt_1","data":{"gift_id":"gift_1"}}`)
	header, err := bestow.SignTestWebhook(body, secret, "evt_1", time.Now())
	if err != nil {
		panic(err)
	}
	event, err := bestow.VerifyWebhook(body, header, secret)
	fmt.Println(event.Type, event.Data.GiftID, err)
	_, err = bestow.VerifyWebhook(append(body, ' '), header, secret)
	fmt.Println(err)
	// Output:
	// gift.claimed gift_1 <nil>
	// bestow: the webhook was not signed with this secret for this body; pass the body as received, and this endpoint's secret
}
