package bestow

import (
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// numbered serves gifts with the ids 1 to count; newer ones have higher numbers.
func numbered(count int) step {
	return func(answer http.ResponseWriter, request *http.Request) {
		query := request.URL.Query()
		limit, _ := strconv.Atoi(query.Get("limit"))
		from, step, isLast := count, -1, func(id int) bool { return id == 1 }
		if after := query.Get("starting_after"); after != "" {
			last, _ := strconv.Atoi(after)
			from = last - 1
		}
		if before := query.Get("ending_before"); before != "" {
			last, _ := strconv.Atoi(before)
			from, step, isLast = last+1, 1, func(id int) bool { return id == count }
		}
		var items []string
		hasMore := false
		for id := from; id >= 1 && id <= count && len(items) < limit; id += step {
			items = append(items, fmt.Sprintf(`{"gift_id":"%d"}`, id))
			hasMore = !isLast(id)
		}
		if step == 1 {
			slices.Reverse(items)
		}
		_, _ = fmt.Fprintf(answer, `{"object":"list","data":[%s],"has_more":%v}`, strings.Join(items, ","), hasMore)
	}
}

func TestAnIterationReadsAllPagesInBothDirectionsAndStopsEarly(t *testing.T) {
	served := startScript(t, numbered(250))
	client, _ := newTestClient(t, served.URL, Options{})
	ids := func(query GiftQuery, most int) (ids []string) {
		for gift, err := range client.Gifts.All(context.Background(), query) {
			if err != nil {
				t.Fatal(err)
			}
			if ids = append(ids, gift.GiftID); len(ids) == most {
				break
			}
		}
		return ids
	}
	all := ids(GiftQuery{}, 0)
	if len(all) != 250 || all[0] != "250" || all[249] != "1" || len(served.all()) != 3 {
		t.Errorf("%d gifts in %d requests", len(all), len(served.all()))
	}
	newer := ids(GiftQuery{EndingBefore: "245", Limit: 2}, 0)
	equal(t, "newer", strings.Join(newer, " "), "246 247 248 249 250")
	before := len(served.all())
	equal(t, "first", len(ids(GiftQuery{Limit: 7}, 10)), 10)
	equal(t, "requests", len(served.all())-before, 2)
}

func TestAListIsAskedForCompressedAndRead(t *testing.T) {
	served := startScript(t, func(answer http.ResponseWriter, request *http.Request) {
		equal(t, "Accept-Encoding", request.Header.Get("Accept-Encoding"), "gzip")
		answer.Header().Set("Content-Encoding", "gzip")
		compressed := gzip.NewWriter(answer)
		_, _ = compressed.Write([]byte(`{"object":"list","data":[{"gift_id":"1"}],"has_more":false}`))
		_ = compressed.Close()
	})
	client, _ := newTestClient(t, served.URL, Options{})
	for gift, err := range client.Gifts.All(ctx, GiftQuery{}) {
		if err != nil || gift.GiftID != "1" {
			t.Errorf("%v %v", gift.GiftID, err)
		}
	}
	equal(t, "requests", len(served.all()), 1)
}

func TestAnIterationGoesOnAtTheNextCursorAndEndsWithItsError(t *testing.T) {
	served := startScript(t,
		answerWith(200, `{"object":"list","data":[],"has_more":true,"next_cursor":"c1"}`),
		cut,
		answerWith(200, `{"object":"list","data":[{"order_id":"o1"}],"has_more":true}`),
		answerError(422, TypeInvalidRequest, CodeCursorInvalid),
	)
	client, _ := newTestClient(t, served.URL, Options{})
	var seen []string
	for order, err := range client.Orders.All(context.Background(), OrderQuery{Metadata: map[string]string{"a b": "ü"}}) {
		if err != nil {
			seen = append(seen, mustFail(t, err).Code)
			continue
		}
		seen = append(seen, order.OrderID)
	}
	equal(t, "seen", strings.Join(seen, " "), "o1 cursor_invalid")
	paths := served.all()
	equal(t, "first", paths[0].Path, "/v1/orders?limit=100&metadata%5Ba+b%5D=%C3%BC")
	for _, index := range []int{1, 2} {
		if !strings.Contains(paths[index].Path, "starting_after=c1") {
			t.Error(paths[index].Path)
		}
	}
}

func TestFindByExternalIDTakesOnlyAnExactMatch(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{emptyList, ""},
		{`{"object":"list","data":[{"order_id":"o1","external_id":"X"}],"has_more":false}`, ""},
		{`{"object":"list","data":[{"order_id":"o1","external_id":"x"}],"has_more":false}`, "o1"},
	} {
		served := startScript(t, answerWith(200, test.body))
		client, _ := newTestClient(t, served.URL, Options{})
		order, err := client.Orders.FindByExternalID(context.Background(), "x")
		if err != nil || (order == nil) != (test.want == "") || (order != nil && order.OrderID != test.want) {
			t.Error(order, err)
		}
		equal(t, "path", served.all()[0].Path, "/v1/orders?external_id=x&limit=1")
	}
}

// eventPage serves the events whose sequences are given.
func eventPage(nextAfter int, sequences ...int) step {
	var events []string
	for _, sequence := range sequences {
		events = append(events, fmt.Sprintf(`{"event_id":"e%d","type":"gift.opened","sequence":%d,"data":{}}`, sequence, sequence))
	}
	return answerWith(200, fmt.Sprintf(`{"object":"list","data":[%s],"has_more":false,"next_after":%d,"first_sequence":5}`,
		strings.Join(events, ","), nextAfter))
}

func TestAStreamSurvivesFaultsAndSkipsNothing(t *testing.T) {
	steps := []step{eventPage(2, 1, 2), cut, answerWith(502, "<html>"), answerWith(200, "<html>"), cutInside, eventPage(2), eventPage(2)}
	for range 30 {
		steps = append(steps, answerError(429, TypeRateLimit, CodeRateLimitExceeded))
	}
	served := startScript(t, append(steps, eventPage(3, 3), hang)...)
	client, clock := newTestClient(t, served.URL, Options{}, WithMaxRetries(0), WithTimeout(time.Second))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var seen []int64
	var last error
	for event, err := range client.Events.Stream(ctx, StreamQuery{After: Ptr[int64](0), Types: []string{EventGiftOpened, "a.b"}}) {
		if last = err; err == nil {
			seen = append(seen, event.Sequence)
		}
		if len(seen) == 3 {
			cancel()
		}
	}
	equal(t, "events", fmt.Sprint(seen), "[1 2 3]")
	equal(t, "end", mustFail(t, last).Kind, KindCanceled)
	equal(t, "path", served.all()[0].Path, "/v1/events?after=0&limit=1000&types=gift.opened%2Ca.b&wait=30")
	if !slices.Contains(clock.pauses, streamPause) {
		t.Error("no pause after an empty page that did not wait")
	}
}

func TestAStreamTellsAGapOrEndsWithIt(t *testing.T) {
	invalid := answerError(422, TypeInvalidRequest, CodeCursorInvalid)
	served := startScript(t, invalid, eventPage(5, 5), eventPage(6, 5, 6), invalid)
	client, _ := newTestClient(t, served.URL, Options{})
	var gaps []Gap
	var seen []int64
	for event, err := range client.Events.Stream(context.Background(), StreamQuery{
		After: Ptr[int64](2), OnGap: func(gap Gap) error { gaps = append(gaps, gap); return nil },
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if seen = append(seen, event.Sequence); len(seen) == 2 {
			break
		}
	}
	equal(t, "gaps", fmt.Sprint(gaps), "[{2 5}]")
	equal(t, "events", fmt.Sprint(seen), "[5 6]")
	equal(t, "path", served.all()[2].Path, "/v1/events?after=4&limit=1000&wait=30")
	for _, err := range client.Events.Stream(context.Background(), StreamQuery{After: Ptr[int64](6)}) {
		equal(t, "without OnGap", mustFail(t, err).Code, CodeCursorInvalid)
	}
}

func TestAStreamThatIsAtTheFirstEventAndStillRefusedEnds(t *testing.T) {
	served := startScript(t, answerError(422, TypeInvalidRequest, CodeCursorInvalid), eventPage(5), answerError(422, TypeInvalidRequest, CodeCursorInvalid))
	client, _ := newTestClient(t, served.URL, Options{})
	query := StreamQuery{After: Ptr[int64](4), OnGap: func(Gap) error { t.Error("a gap"); return nil }}
	for _, err := range client.Events.Stream(ctx, query) {
		equal(t, "end", mustFail(t, err).Code, CodeCursorInvalid)
	}
	equal(t, "requests", len(served.all()), 2)
}

func TestAStreamAtAWrongAddressEnds(t *testing.T) {
	served := startScript(t, cut)
	served.Close()
	client, clock := newTestClient(t, served.URL, Options{})
	for _, err := range client.Events.Stream(context.Background(), StreamQuery{}) {
		equal(t, "kind", mustFail(t, err).Kind, KindConnection)
	}
	if clock.skipped > wrongAddress {
		t.Error(clock.skipped)
	}
}

func TestEventsOfLaterTypesAndFormsComeThrough(t *testing.T) {
	data := `{"order_id":"o1","delivery":"later","purchase":{"amount":5,"amount_left":2},"later":[1]}`
	served := startScript(t, answerWith(200, `{"object":"list","data":[{"type":"later.type","sequence":9,"data":`+data+`,"more":1}],"has_more":false,"next_after":9,"first_sequence":1}`))
	client, _ := newTestClient(t, served.URL, Options{})
	page, err := client.Events.List(context.Background(), EventQuery{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	event := page.Data[0]
	equal(t, "type", event.Type, "later.type")
	equal(t, "order", event.Data.OrderID, "o1")
	equal(t, "left", event.Data.Purchase.AmountLeft, 2)
	equal(t, "raw", string(event.Data.Raw), data)
	equal(t, "written again", toJSON(t, event.Data), data)
	equal(t, "made by hand", toJSON(t, EventData{GiftID: "g1"}), `{"gift_id":"g1"}`)
}
