package bestow

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"reflect"
	"strings"
	"sync/atomic"
	"time"
)

const (
	unlimited = time.Duration(math.MaxInt64)
	// maxAnswerBytes bounds what an answer may hold in memory.
	maxAnswerBytes = 16 << 20
)

// byteOrderMark may begin a text in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// request is one call before its options are applied.
type request struct {
	operation operation
	// path may have a query.
	path string
	body any
	// isEndless: a stream waits for the service as long as its context.
	isEndless bool
}

// plan is all that stays the same in the attempts of a call.
type plan struct {
	operation operation
	path      string
	header    http.Header
	// body is encoded once: if the caller changes the input later, a retry is still the same order.
	body           []byte
	key            string
	timeout        time.Duration
	attemptTimeout time.Duration
	maxRetries     *int
	isEndless      bool
}

// outcome is one attempt. The members are nil if the answer is not a JSON object.
type outcome struct {
	status  int
	header  http.Header
	raw     []byte
	members map[string]json.RawMessage
	err     error
	// isLate: the attempt ended because its time was over.
	isLate bool
	// isUnsent: no connection was made, so nothing was sent.
	isUnsent bool
	// isTooLarge: the answer was not read to its end.
	isTooLarge bool
	// isForeign: a transport of the caller's failed in its own way, which a retry does not heal.
	isForeign bool
}

// call sends a request until there is a final answer, and decodes it.
func call[Result any](ctx context.Context, client *Client, request request, given []CallOption) (*Result, error) {
	options := client.defaults.with(given)
	plan, err := planOf(client, request, options)
	if err != nil {
		return nil, err
	}
	return callPlan[Result](ctx, client, plan, options.answer)
}

func callPlan[Result any](ctx context.Context, client *Client, plan *plan, answer *Answer) (*Result, error) {
	result := new(Result)
	decode := func(raw []byte) error {
		*result = *new(Result)
		return json.Unmarshal(raw, result)
	}
	info, err := client.connection.run(ctx, plan, decode)
	if err != nil {
		return nil, err
	}
	if answer != nil {
		*answer = *info
	}
	return result, nil
}

// planOf returns an error for a wrong option, a body that is no JSON, or if there is no random key.
func planOf(client *Client, request request, options callOptions) (*plan, error) {
	op := request.operation
	options.refuseIf(options.key != nil && !op.takesKey, op.method+" "+op.path+" takes no idempotency key")
	options.refuseIf(len(options.expand) > 0 && !op.takesExpand, op.method+" "+op.path+" has no parts to ask for")
	if options.err != nil {
		return nil, options.err
	}
	result := &plan{
		operation: op, path: withExpand(request.path, options.expand), isEndless: request.isEndless, maxRetries: options.maxRetries,
		timeout: options.timeout, attemptTimeout: options.attemptTimeout,
	}
	if op.attemptTimeout > 0 {
		result.attemptTimeout = op.attemptTimeout
	}
	if request.isEndless {
		result.timeout, result.maxRetries = unlimited, nil
	}
	if request.body != nil {
		body, err := json.Marshal(request.body)
		if err != nil {
			return nil, fmt.Errorf("bestow: the body cannot be written as JSON: %w", err)
		}
		// After Marshal, which refuses a value that holds itself.
		if err := checkBody("", reflect.ValueOf(request.body)); err != nil {
			return nil, err
		}
		result.body = body
	}
	switch {
	case options.key != nil:
		result.key = *options.key
	case op.takesKey:
		key, err := newUUID()
		if err != nil {
			return nil, err
		}
		result.key = key
	}
	result.header = client.connection.headerOf(result, options.header)
	return result, nil
}

func withExpand(path string, parts []string) string {
	if len(parts) == 0 {
		return path
	}
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	return path + separator + "expand=" + url.QueryEscape(strings.Join(parts, ","))
}

func (connection *connection) headerOf(plan *plan, more http.Header) http.Header {
	header := http.Header{
		"Accept":        {"application/json"},
		"Cache-Control": {"no-store"},
		"User-Agent":    {"bestow-sdk-go/" + Version},
	}
	for name, values := range more {
		header[name] = values
	}
	header.Set("Authorization", "Bearer "+connection.key)
	if plan.body != nil {
		header.Set("Content-Type", "application/json")
	}
	if plan.key != "" {
		header.Set("Idempotency-Key", plan.key)
	}
	return header
}

// attempt sends the request once and reads the whole answer, so that the connection can be used again.
func (connection *connection) attempt(ctx context.Context, plan *plan, within time.Duration) outcome {
	ctx, release := limit(ctx, within)
	defer release()
	var isConnected atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { isConnected.Store(true) },
	})
	var body io.Reader
	if plan.body != nil {
		body = bytes.NewReader(plan.body)
	}
	request, err := http.NewRequestWithContext(traced, plan.operation.method, connection.address+plan.path, body)
	if err != nil {
		return outcome{err: err, isUnsent: true}
	}
	request.Header = plan.header.Clone()
	if plan.key != "" {
		// With it net/http sends an act again by itself, unseen and at once, if a connection that it reused is lost.
		request.GetBody = nil
	}
	response, err := connection.http.Do(request)
	if err != nil {
		// Another transport may send without telling the trace.
		_, isTraced := connection.http.Transport.(*http.Transport)
		err = withoutURL(err)
		return outcome{
			err: err, isLate: ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded), isUnsent: isTraced && !isConnected.Load(),
			isForeign: !isTraced && !isNetworkError(err),
		}
	}
	defer response.Body.Close()
	result := outcome{status: response.StatusCode, header: response.Header}
	if result.status < 200 {
		// The body of a 101 is the connection itself: no context ends a read of it.
		return result
	}
	result.raw, result.err = io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if result.err != nil {
		result.isLate = ctx.Err() != nil
		return result
	}
	result.raw = bytes.TrimPrefix(result.raw, byteOrderMark)
	if result.isTooLarge = len(result.raw) > maxAnswerBytes; !result.isTooLarge {
		// What is no JSON object leaves the members nil.
		_ = json.Unmarshal(result.raw, &result.members)
	}
	return result
}

// limit is context.WithTimeout, also for an unlimited time.
func limit(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout == unlimited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}

func sleep(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// newUUID returns a random UUID (version 4), and an error if the system has no random numbers: with other keys two orders
// could be taken for one.
func newUUID() (string, error) {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("bestow: no random idempotency key: %w", err)
	}
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:]), nil
}
