package bestow

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// EventService reads what happened.
type EventService struct{ client *Client }

// EventQuery selects events.
type EventQuery struct {
	// After: only events after this sequence. Nil begins with the first event that is still held.
	After *int64
	// Limit is 1 to 1,000; 100 by default, and at most 100 with ExpandResource.
	Limit int
	// Types: only these, such as EventGiftClaimed; nil for all.
	Types []string
	// Wait is how long the service waits for a new event: whole seconds, at most 30.
	Wait time.Duration
	// ExpandResource adds the order or gift of each event as it is now. [WithExpand] then asks for its parts.
	ExpandResource bool
}

// EventPage is a page of events, in the order of their sequences.
type EventPage struct {
	Data []Event `json:"data"`
	// HasMore says that events follow at once.
	HasMore bool `json:"has_more"`
	// NextAfter is the After of the next request.
	NextAfter int64 `json:"next_after"`
	// FirstSequence is the first that is still held.
	FirstSequence int64 `json:"first_sequence"`
}

// StreamQuery selects the events of a stream.
type StreamQuery struct {
	// After is the sequence of the last event that you have. Nil begins with the first event that is still held.
	After *int64
	// Types: only these, such as EventGiftClaimed; nil for all.
	Types []string
	// OnGap is called if events were lost to you; the stream then goes on from the first event held. An error ends the
	// stream. Without OnGap the stream ends with CodeCursorInvalid: it never skips events unseen.
	OnGap func(Gap) error
}

// Gap says that events after After were deleted, or undone by a restore of the database, or that After is of another
// environment.
type Gap struct {
	After         int64
	FirstSequence int64
}

const (
	streamLimit = 1000
	streamWait  = 30 * time.Second
	// streamPause follows an empty page: a busy service may answer without the wait.
	streamPause = time.Second
)

// List reads one page. With Wait the attempt's time limit is longer by that time.
func (service EventService) List(ctx context.Context, query EventQuery, options ...CallOption) (*EventPage, error) {
	return service.read(ctx, query, false, options)
}

func (service EventService) read(
	ctx context.Context, query EventQuery, isEndless bool, options []CallOption,
) (*EventPage, error) {
	if query.Wait < 0 || query.Wait%time.Second != 0 {
		return nil, errors.New("bestow: the wait for events must be whole seconds")
	}
	if query.Types != nil && len(query.Types) == 0 {
		return nil, errors.New("bestow: Types is an empty list; nil stands for all")
	}
	values := url.Values{}
	if query.After != nil {
		values.Set("after", strconv.FormatInt(*query.After, 10))
	}
	if query.Limit != 0 {
		values.Set("limit", strconv.Itoa(query.Limit))
	}
	if len(query.Types) > 0 {
		values.Set("types", strings.Join(query.Types, ","))
	}
	if query.Wait > 0 {
		values.Set("wait", strconv.Itoa(int(query.Wait/time.Second)))
	}
	given := service.client.defaults.with(options)
	if query.ExpandResource {
		values.Set("expand", strings.Join(append([]string{"resource"}, given.expand...), ","))
		options = append(options[:len(options):len(options)], func(rest *callOptions) { rest.expand = nil })
	} else if len(given.expand) > 0 {
		return nil, errors.New("bestow: parts of the resources of events need ExpandResource")
	}
	op := listEvents
	op.attemptTimeout = given.attemptTimeout + query.Wait
	target := request{operation: op, path: withQuery(op.path, values), isEndless: isEndless}
	return call[EventPage](ctx, service.client, target, options)
}

// Stream yields events for ever: it waits for new ones, and goes on after restarts of the service, lost connections and
// too many requests, without limits of time and retries. It ends with its context, whose error it yields, and with an
// error that a retry cannot heal. Store the sequence of each event together with your own change, and begin there again.
func (service EventService) Stream(
	ctx context.Context, query StreamQuery, options ...CallOption,
) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		connection := service.client.connection
		for after := query.After; ; {
			start := connection.now()
			read := EventQuery{After: after, Types: query.Types, Limit: streamLimit, Wait: streamWait}
			page, err := service.read(ctx, read, true, options)
			if query.OnGap != nil && isGap(err) {
				after, err = service.passGap(ctx, query, after, err, options)
				if err == nil {
					continue
				}
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			for _, event := range page.Data {
				if !yield(event, nil) {
					return
				}
			}
			after = &page.NextAfter
			isAtEnd := len(page.Data) == 0 && !page.HasMore
			if isAtEnd && connection.now().Sub(start) < streamPause {
				connection.sleep(ctx, streamPause)
			}
		}
	}
}

func isGap(err error) bool {
	var failure *Error
	return errors.As(err, &failure) && failure.Code == CodeCursorInvalid
}

// passGap returns the sequence before the first event held, or invalid if the stream was there already.
func (service EventService) passGap(
	ctx context.Context, query StreamQuery, after *int64, invalid error, options []CallOption,
) (*int64, error) {
	page, err := service.read(ctx, EventQuery{Limit: 1}, true, options)
	if err != nil {
		return nil, err
	}
	if after != nil && *after == page.FirstSequence-1 {
		return nil, invalid
	}
	gap := Gap{FirstSequence: page.FirstSequence}
	if after != nil {
		gap.After = *after
	}
	if err := query.OnGap(gap); err != nil {
		return nil, err
	}
	return Ptr(page.FirstSequence - 1), nil
}

// Event is something that happened.
type Event struct {
	EventID string `json:"event_id"`
	// Type is such as EventGiftClaimed. Ignore types that you do not know.
	Type      string    `json:"type"`
	CreatedAt time.Time `json:"created_at"`
	// Sequence is the place among all events of the environment, without holes.
	Sequence int64     `json:"sequence"`
	Data     EventData `json:"data"`
	// Resource is the order or gift as it is now, with ExpandResource.
	Resource json.RawMessage `json:"resource,omitempty"`
}
