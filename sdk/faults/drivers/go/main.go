// The driver of the Go client for the table of faults: it reads a fault in each line of JSON, runs all at once, and
// writes the result of each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"bestow.example/bestow"
)

type fault struct {
	ID             string            `json:"id"`
	BaseURL        string            `json:"base_url"`
	Key            string            `json:"key"`
	Call           string            `json:"call"`
	IdempotencyKey string            `json:"idempotency_key"`
	Body           bestow.OrderInput `json:"body"`
	GiftID         string            `json:"gift_id"`
	AbortAfterMS   int               `json:"abort_after_ms"`
	// Count is how many orders to place one after another, or events to read.
	Count   int `json:"count"`
	Options struct {
		TimeoutMS    *int `json:"timeout_ms"`
		TryTimeoutMS *int `json:"try_timeout_ms"`
		MaxRetries   *int `json:"max_retries"`
	} `json:"options"`
}

type result struct {
	ID             string   `json:"id"`
	Result         string   `json:"result"`
	OrderID        string   `json:"order_id,omitempty"`
	Attempts       int      `json:"attempts"`
	IsReplay       bool     `json:"is_replay"`
	PausesMS       []int64  `json:"pauses_ms"`
	Error          string   `json:"error,omitempty"`
	Code           string   `json:"code"`
	Message        string   `json:"message,omitempty"`
	OutcomeUnknown bool     `json:"outcome_unknown"`
	IdempotencyKey string   `json:"idempotency_key,omitempty"`
	Status         int      `json:"status,omitempty"`
	OrderIDs       []string `json:"order_ids,omitempty"`
	Sequences      []int64  `json:"sequences,omitempty"`
}

func main() {
	var output sync.Mutex
	var running sync.WaitGroup
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var given fault
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		running.Add(1)
		go func() {
			defer running.Done()
			line, _ := json.Marshal(run(given))
			output.Lock()
			defer output.Unlock()
			fmt.Println(string(line))
		}()
	}
	running.Wait()
}

func run(given fault) result {
	found := result{ID: given.ID, Result: "ok", PausesMS: []int64{}}
	// A transport of its own, so that a connection of another fault is not used again.
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client, err := bestow.New(bestow.Options{
		Key: given.Key, BaseURL: given.BaseURL, HTTPClient: &http.Client{Transport: transport},
		OnAttempt: func(attempt bestow.Attempt) {
			found.Attempts, found.IsReplay, found.Status = attempt.Number, attempt.IsReplay, attempt.Status
			if attempt.Pause > 0 {
				found.PausesMS = append(found.PausesMS, attempt.Pause.Milliseconds())
			}
		},
	}, given.defaults()...)
	if err == nil {
		err = given.call(client, &found)
	}
	if err != nil {
		found.fail(err)
	}
	return found
}

func (given fault) defaults() []bestow.CallOption {
	var defaults []bestow.CallOption
	if limit := given.Options.TimeoutMS; limit != nil {
		defaults = append(defaults, bestow.WithTimeout(time.Duration(*limit)*time.Millisecond))
	}
	if limit := given.Options.TryTimeoutMS; limit != nil {
		defaults = append(defaults, bestow.WithAttemptTimeout(time.Duration(*limit)*time.Millisecond))
	}
	if count := given.Options.MaxRetries; count != nil {
		defaults = append(defaults, bestow.WithMaxRetries(*count))
	}
	return defaults
}

func (given fault) call(client *bestow.Client, found *result) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	switch given.Call {
	case "order_abort":
		timer := time.AfterFunc(time.Duration(given.AbortAfterMS)*time.Millisecond, cancel)
		defer timer.Stop()
		found.OrderID, err = given.order(ctx, client, given.IdempotencyKey)
	case "order":
		found.OrderID, err = given.order(ctx, client, given.IdempotencyKey)
	case "orders":
		for number := 0; number < given.Count && err == nil; number++ {
			var id string
			id, err = given.order(ctx, client, fmt.Sprintf("%s-%d", given.IdempotencyKey, number))
			found.OrderIDs = append(found.OrderIDs, id)
		}
	case "stream":
		found.Sequences, err = given.stream(ctx, client)
	case "read":
		_, err = client.Categories.List(ctx)
	case "gift":
		_, err = client.Gifts.Retrieve(ctx, given.GiftID)
	case "claim":
		_, err = client.Sandbox.Claim(ctx, given.GiftID)
	default:
		err = fmt.Errorf("the driver has no call %q", given.Call)
	}
	return err
}

func (given fault) order(ctx context.Context, client *bestow.Client, idempotencyKey string) (string, error) {
	var options []bestow.CallOption
	if idempotencyKey != "" {
		options = append(options, bestow.WithIdempotencyKey(idempotencyKey))
	}
	order, err := client.Orders.Create(ctx, given.Body, options...)
	if err != nil {
		return "", err
	}
	return order.OrderID, nil
}

// stream reads the feed from its beginning.
func (given fault) stream(ctx context.Context, client *bestow.Client) ([]int64, error) {
	var sequences []int64
	query := bestow.StreamQuery{After: bestow.Ptr[int64](0), Types: []string{bestow.EventOrderCreated}}
	for event, err := range client.Events.Stream(ctx, query) {
		if err != nil {
			return sequences, err
		}
		if sequences = append(sequences, event.Sequence); len(sequences) == given.Count {
			break
		}
	}
	return sequences, nil
}

func (found *result) fail(err error) {
	found.Result, found.Error, found.Message = "error", "Other", err.Error()
	var failure *bestow.Error
	if !errors.As(err, &failure) {
		return
	}
	found.Error, found.Code, found.Attempts = nameOf(failure), failure.Code, failure.Attempts
	found.OutcomeUnknown, found.IdempotencyKey = failure.OutcomeUnknown, failure.IdempotencyKey
	found.Status = failure.Status
}

// nameOf returns the class that the error has in the other clients.
func nameOf(failure *bestow.Error) string {
	switch failure.Kind {
	case bestow.KindCanceled:
		return "AbortError"
	case bestow.KindTimeout:
		return "TimeoutError"
	case bestow.KindConnection:
		return "ConnectionError"
	}
	switch failure.Type {
	case bestow.TypeInvalidRequest:
		return "InvalidRequestError"
	case bestow.TypeAuthentication:
		return "AuthenticationError"
	case bestow.TypeInsufficientBalance:
		return "InsufficientBalanceError"
	case bestow.TypeRateLimit:
		return "RateLimitError"
	case bestow.TypeAPI:
		return "ServiceError"
	}
	return "ApiError"
}
