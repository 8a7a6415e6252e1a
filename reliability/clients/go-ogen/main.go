// Buys with the client of ogen and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example.com/clients/bestow"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func orderOf(category string) *bestow.OrderInput {
	email := bestow.EmailDelivery{Method: "email", Email: "ada@example.com"}
	delivery := bestow.DeliveryInput{OneOf: bestow.NewEmailDeliveryDeliveryInputSum(email)}
	return &bestow.OrderInput{Gifts: []bestow.GiftInput{{Amount: 2500, Category: category, Delivery: delivery}}}
}

// Each status of an operation has its own type.
func answerOf[Answer any](answer any, err error) Answer {
	check(err)
	typed, isTyped := answer.(Answer)
	if !isTyped {
		panic(fmt.Sprintf("%T", answer))
	}
	return typed
}

type key struct{}

func (key) ApiKey(context.Context, bestow.OperationName) (bestow.ApiKey, error) {
	return bestow.ApiKey{Token: os.Getenv("BESTOW_KEY")}, nil
}

func main() {
	ctx := context.Background()
	client, err := bestow.NewClient(os.Getenv("BESTOW_URL"), key{})
	check(err)
	params := bestow.CreateOrderParams{IdempotencyKey: os.Getenv("BESTOW_ORDER")}
	wrong := answerOf[*bestow.UnprocessableEntityHeaders](client.CreateOrder(ctx, orderOf("nothing"), params))
	placed := answerOf[*bestow.CreateOrderCreatedHeaders](client.CreateOrder(ctx, orderOf("coffee"), params)).Response
	replay := answerOf[*bestow.OrderHeaders](client.CreateOrder(ctx, orderOf("coffee"), params))
	gift := placed.Gifts[0]
	read := answerOf[*bestow.GiftHeaders](client.RetrieveGift(ctx, bestow.RetrieveGiftParams{GiftID: gift.GiftID}))
	pending := bestow.SimulateDeliveryParams{GiftID: gift.GiftID}
	delivered := answerOf[*bestow.GiftHeaders](client.SimulateDelivery(ctx, bestow.OptDeliveryOutcome{}, pending))
	none := bestow.RetrieveGiftParams{GiftID: "gift_none"}
	missing := answerOf[*bestow.NotFoundHeaders](client.RetrieveGift(ctx, none))
	categories := answerOf[*bestow.CategoryListHeaders](client.ListCategories(ctx))
	count := 0
	for page := (bestow.ListGiftsParams{Limit: bestow.NewOptInt(2)}); ; {
		gifts := answerOf[*bestow.GiftListHeaders](client.ListGifts(ctx, page))
		count += len(gifts.Response.Data)
		if !gifts.Response.HasMore {
			break
		}
		page.StartingAfter = bestow.NewOptString(gifts.Response.Data[len(gifts.Response.Data)-1].GiftID)
	}
	pair := bestow.NewOptListGiftsMetadata(bestow.ListGiftsMetadata{"shop": "nothing"})
	filtered := answerOf[*bestow.GiftListHeaders](client.ListGifts(ctx, bestow.ListGiftsParams{Metadata: pair}))
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"wrong":      fmt.Sprintf("422 %s", wrong.Response.Error.Code),
		"placed":     fmt.Sprintf("201 %s %d", gift.Delivery.Status, gift.Amount),
		"replay":     fmt.Sprintf("200 %t", replay.IdempotentReplayed == "true" && replay.Response.OrderID == placed.OrderID),
		"read":       read.Response.Delivery.Status,
		"delivered":  delivered.Response.Delivery.Status,
		"missing":    fmt.Sprintf("404 %s", missing.Response.Error.Code),
		"categories": len(categories.Response.Data),
		"gifts":      count,
		"filtered":   len(filtered.Response.Data),
	}))
}
