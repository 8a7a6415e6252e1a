// Buys with the client of openapi-generator and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
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
	delivery := bestow.EmailDeliveryAsDeliveryInput(bestow.NewEmailDelivery("email", "ada@example.com"))
	return *bestow.NewOrderInput([]bestow.GiftInput{*bestow.NewGiftInput(2500, category, delivery)})
}

func errorOf(response *http.Response, err error) string {
	var failure *bestow.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(fmt.Sprint("There was no error: ", err))
	}
	answer := failure.Model().(bestow.ErrorResponse)
	return fmt.Sprintf("%d %s", response.StatusCode, answer.Error.Code)
}

func main() {
	ctx := context.WithValue(context.Background(), bestow.ContextAccessToken, os.Getenv("BESTOW_KEY"))
	configuration := bestow.NewConfiguration()
	configuration.Servers = bestow.ServerConfigurations{{URL: os.Getenv("BESTOW_URL")}}
	client := bestow.NewAPIClient(configuration)
	place := func(category string) (*bestow.Order, *http.Response, error) {
		request := client.OrdersAPI.CreateOrder(ctx).IdempotencyKey(os.Getenv("BESTOW_ORDER"))
		return request.OrderInput(orderOf(category)).Execute()
	}
	_, wrongResponse, wrong := place("nothing")
	placed, placedResponse, err := place("coffee")
	check(err)
	replay, replayResponse, err := place("coffee")
	check(err)
	gift := placed.Gifts[0]
	read, _, err := client.GiftsAPI.RetrieveGift(ctx, gift.GiftId).Execute()
	check(err)
	delivered, _, err := client.SandboxAPI.SimulateDelivery(ctx, gift.GiftId).Execute()
	check(err)
	_, missingResponse, missing := client.GiftsAPI.RetrieveGift(ctx, "gift_none").Execute()
	categories, _, err := client.CatalogAPI.ListCategories(ctx).Execute()
	check(err)
	count := 0
	for request := client.GiftsAPI.ListGifts(ctx).Limit(2); ; {
		page, _, err := request.Execute()
		check(err)
		count += len(page.Data)
		if !page.HasMore {
			break
		}
		request = request.StartingAfter(page.Data[len(page.Data)-1].GiftId)
	}
	filtered, _, err := client.GiftsAPI.ListGifts(ctx).Metadata(map[string]string{"shop": "nothing"}).Execute()
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"wrong":      errorOf(wrongResponse, wrong),
		"placed":     fmt.Sprintf("%d %s %d", placedResponse.StatusCode, gift.Delivery.Status, gift.Amount),
		"replay":     fmt.Sprintf("%d %t", replayResponse.StatusCode, replay.OrderId == placed.OrderId),
		"read":       read.Delivery.Status,
		"delivered":  delivered.Delivery.Status,
		"missing":    errorOf(missingResponse, missing),
		"categories": len(categories.Data),
		"gifts":      count,
		"filtered":   len(filtered.Data),
	}))
}
