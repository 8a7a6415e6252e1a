package bestow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"
)

const (
	firstLook   = 500 * time.Millisecond
	longestLook = 5 * time.Second
)

// Create buys 1 to 10 gifts in one debit. All attempts carry one Idempotency-Key, so the order is placed once. After an
// error with OutcomeUnknown, call it again with [WithIdempotencyKey] and the same input to get the placed order. With a
// Store the order is kept before the first attempt; if it cannot be kept, nothing is sent. It stays kept until the service
// places or refuses it, so Resume places it later; to give it up, call the Store's Forget. Codes of its
// errors: insufficient_balance, external_id_taken, organization_not_configured.
func (service OrderService) Create(ctx context.Context, input OrderInput, options ...CallOption) (*Order, error) {
	store := service.client.connection.store
	target := request{operation: createOrder, path: createOrder.path, body: input}
	if store == nil || ctx.Err() != nil {
		return call[Order](ctx, service.client, target, options)
	}
	given := service.client.defaults.with(options)
	plan, err := planOf(service.client, target, given)
	if err != nil {
		return nil, err
	}
	if err := store.Keep(ctx, plan.key, plan.body); err != nil {
		return nil, fmt.Errorf("bestow: the order was not sent, because it could not be kept: %w", err)
	}
	order, err := callPlan[Order](ctx, service.client, plan, given.answer)
	if err == nil || isRefused(err) {
		service.forget(ctx, plan.key)
	}
	return order, err
}

// isRefused says that the service did not place the order.
func isRefused(err error) bool {
	var failure *Error
	return errors.As(err, &failure) && failure.Kind == KindAPI && !failure.OutcomeUnknown && !failure.Retryable
}

func (service OrderService) forget(ctx context.Context, idempotencyKey string) {
	connection := service.client.connection
	err := connection.store.Forget(context.WithoutCancel(ctx), idempotencyKey)
	// The answer counts more: an order that stays kept is placed only once, too.
	if err != nil && connection.logger != nil {
		connection.logger.WarnContext(ctx, "bestow: an answered order stays in the store", "error", err)
	}
}

// Resumed is an order of the store that was sent again.
type Resumed struct {
	// IdempotencyKey is empty if the store itself failed.
	IdempotencyKey string
	// Order is nil if there is an error.
	Order *Order
}

// Resume sends every order that the Store keeps again, each with its own key and body, so that none is placed twice. It
// yields each with its order or error, and an error of the store. Call it when your program starts.
func (service OrderService) Resume(ctx context.Context, options ...CallOption) iter.Seq2[Resumed, error] {
	return func(yield func(Resumed, error) bool) {
		store := service.client.connection.store
		if store == nil {
			yield(Resumed{}, errors.New("bestow: the client has no Store"))
			return
		}
		kept, storeError := store.Kept(ctx)
		for _, each := range kept {
			order, err := service.resume(ctx, each, options)
			if !yield(Resumed{IdempotencyKey: each.IdempotencyKey, Order: order}, err) {
				return
			}
		}
		if storeError != nil {
			yield(Resumed{}, storeError)
		}
	}
}

func (service OrderService) resume(ctx context.Context, kept KeptOrder, more []CallOption) (*Order, error) {
	given := service.client.defaults.with(more).with([]CallOption{WithIdempotencyKey(kept.IdempotencyKey)})
	target := request{operation: createOrder, path: createOrder.path, body: json.RawMessage(kept.Body)}
	plan, err := planOf(service.client, target, given)
	if err != nil {
		return nil, err
	}
	order, err := callPlan[Order](ctx, service.client, plan, nil)
	var failure *Error
	// A wrong API key says nothing about the attempts of the earlier run, whose outcome is unknown.
	isUnauthenticated := errors.As(err, &failure) && failure.Type == TypeAuthentication
	if err == nil || (isRefused(err) && !isUnauthenticated) {
		service.forget(ctx, kept.IdempotencyKey)
	}
	return order, err
}

// FindByExternalID returns the order with your own id, or nil.
func (service OrderService) FindByExternalID(
	ctx context.Context, externalID string, options ...CallOption,
) (*Order, error) {
	if externalID == "" {
		return nil, errors.New("bestow: the external id is missing")
	}
	page, err := service.List(ctx, OrderQuery{ExternalID: externalID, Limit: 1}, options...)
	if err != nil || len(page.Data) == 0 || page.Data[0].ExternalID != externalID {
		return nil, err
	}
	return &page.Data[0], nil
}

// WaitUntilProcessed reads the order until its status is no longer OrderProcessing. The timeout limits the whole wait;
// then the error has KindTimeout.
func (service OrderService) WaitUntilProcessed(
	ctx context.Context, orderID string, options ...CallOption,
) (*Order, error) {
	connection := service.client.connection
	given := service.client.defaults.with(options)
	end, left := connection.now().Add(given.timeout), given.timeout
	var answer Answer
	for pause := firstLook; ; pause = min(2*pause, longestLook) {
		each := append(options[:len(options):len(options)], WithAnswer(&answer), WithTimeout(left))
		order, err := service.Retrieve(ctx, orderID, each...)
		if err != nil {
			return nil, err
		}
		if order.Status != OrderProcessing {
			if given.answer != nil {
				*given.answer = answer
			}
			return order, nil
		}
		facts := Error{Kind: KindTimeout, Attempts: answer.Attempts, Status: answer.Status, RequestID: answer.RequestID}
		// A transport of tests pauses for less than it must.
		if left = min(end.Sub(connection.now()), left) - pause; left <= 0 {
			facts.Message = fmt.Sprintf("order %s is still processing after %s", orderID, given.timeout)
			return nil, &facts
		}
		connection.sleep(ctx, pause)
		if ctx.Err() != nil {
			active := activeCall{ctx: ctx, facts: facts}
			return nil, active.ended()
		}
	}
}
