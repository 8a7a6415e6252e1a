// Package bestow is the client of Bestow, a gift ordering service.
//
//	client, err := bestow.New(bestow.Options{Key: key, BaseURL: "https://gifts.example.com"})
//	order, err := client.Orders.Create(ctx, bestow.OrderInput{Gifts: []bestow.GiftInput{{
//		Amount: 2500, Category: "coffee", Delivery: bestow.ByEmail("ada@example.com"),
//	}}})
//
// An order is never charged twice: all attempts of a call carry one Idempotency-Key and the same body. The client
// retries if a retry is safe, until the call's time limit. An error that comes after the arguments were checked is an
// [*Error]; its OutcomeUnknown says whether an act may have been carried out.
//
// Amounts are in cents. Statuses, types and codes are open: a newer service may send values that have no constant
// here, so give a switch a default. A [Client] may be used by many goroutines at once.
package bestow

// Version is the version of this client, as its User-Agent names it.
const Version = "1.3.2"
