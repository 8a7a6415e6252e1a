// Buys with the client of ogen and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
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

func errorOf(err error) string {
	var answer *bestow.ErrorStatusCodeWithHeaders
	if !errors.As(err, &answer) {
		panic(fmt.Sprintf("%T: %v", err, err))
	}
	return fmt.Sprintf("%d %s", answer.StatusCode, answer.Response.Error.Code)
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
	_, wrong := client.CreateOrder(ctx, orderOf("nothing"), params)
	created, err := client.CreateOrder(ctx, orderOf("coffee"), params)
	check(err)
	placed := created.(*bestow.CreateOrderCreatedHeaders).Response
	repeated, err := client.CreateOrder(ctx, orderOf("coffee"), params)
	check(err)
	replay := repeated.(*bestow.OrderHeaders)
	gift := placed.Gifts[0]
	read, err := client.RetrieveGift(ctx, bestow.RetrieveGiftParams{GiftID: gift.GiftID})
	check(err)
	pending := bestow.SimulateDeliveryParams{GiftID: gift.GiftID}
	delivered, err := client.SimulateDelivery(ctx, bestow.OptDeliveryOutcome{}, pending)
	check(err)
	_, missing := client.RetrieveGift(ctx, bestow.RetrieveGiftParams{GiftID: "gift_none"})
	categories, err := client.ListCategories(ctx)
	check(err)
	count := 0
	for page := (bestow.ListGiftsParams{Limit: bestow.NewOptInt(2)}); ; {
		gifts, err := client.ListGifts(ctx, page)
		check(err)
		count += len(gifts.Response.Data)
		if !gifts.Response.HasMore {
			break
		}
		page.StartingAfter = bestow.NewOptString(gifts.Response.Data[len(gifts.Response.Data)-1].GiftID)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"wrong":      errorOf(wrong),
		"placed":     fmt.Sprintf("201 %s %d", gift.Delivery.Status, gift.Amount),
		"replay":     fmt.Sprintf("200 %t", replay.IdempotentReplayed == "true" && replay.Response.OrderID == placed.OrderID),
		"read":       read.Response.Delivery.Status,
		"delivered":  delivered.Response.Delivery.Status,
		"missing":    errorOf(missing),
		"categories": len(categories.Response.Data),
		"gifts":      count,
	}))
}
