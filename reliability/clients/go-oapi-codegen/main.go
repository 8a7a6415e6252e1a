// Buys with the client of oapi-codegen and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/clients/bestow"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func orderOf(category string) bestow.OrderInput {
	var delivery bestow.DeliveryInput
	check(delivery.FromEmailDelivery(bestow.EmailDelivery{Email: "ada@example.com"}))
	return bestow.OrderInput{Gifts: []bestow.GiftInput{{Amount: 2500, Category: category, Delivery: delivery}}}
}

func errorOf(response *http.Response, answer *bestow.ErrorResponse) string {
	return fmt.Sprintf("%d %s", response.StatusCode, answer.Error.Code)
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("BESTOW_KEY"))
		return nil
	}
	client, err := bestow.NewClientWithResponses(os.Getenv("BESTOW_URL"), bestow.WithRequestEditorFn(withKey))
	check(err)
	params := &bestow.CreateOrderParams{IdempotencyKey: os.Getenv("BESTOW_ORDER")}
	place := func(category string) *bestow.CreateOrderResponse {
		answer, err := client.CreateOrderWithResponse(ctx, params, orderOf(category))
		check(err)
		return answer
	}
	wrong, placed, replay := place("nothing"), place("coffee"), place("coffee")
	gift := placed.JSON201.Gifts[0]
	read, err := client.RetrieveGiftWithResponse(ctx, gift.GiftId, nil)
	check(err)
	delivered, err := client.SimulateDeliveryWithBodyWithResponse(ctx, gift.GiftId, nil, "application/json", nil)
	check(err)
	missing, err := client.RetrieveGiftWithResponse(ctx, "gift_none", nil)
	check(err)
	categories, err := client.ListCategoriesWithResponse(ctx)
	check(err)
	limit, count := 2, 0
	for page := (&bestow.ListGiftsParams{Limit: &limit}); ; {
		gifts, err := client.ListGiftsWithResponse(ctx, page)
		check(err)
		count += len(gifts.JSON200.Data)
		if !gifts.JSON200.HasMore {
			break
		}
		page.StartingAfter = &gifts.JSON200.Data[len(gifts.JSON200.Data)-1].GiftId
	}
	filtered, err := client.ListGiftsWithResponse(ctx, &bestow.ListGiftsParams{Metadata: &map[string]string{"shop": "nothing"}})
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"wrong":      errorOf(wrong.HTTPResponse, wrong.JSON422),
		"placed":     fmt.Sprintf("%d %s %d", placed.StatusCode(), gift.Delivery.Status, gift.Amount),
		"replay":     fmt.Sprintf("%d %t", replay.StatusCode(), replay.JSON200.OrderId == placed.JSON201.OrderId),
		"read":       read.JSON200.Delivery.Status,
		"delivered":  delivered.JSON200.Delivery.Status,
		"missing":    errorOf(missing.HTTPResponse, missing.JSON404),
		"categories": len(categories.JSON200.Data),
		"gifts":      count,
		"filtered":   len(filtered.JSON200.Data),
	}))
}
