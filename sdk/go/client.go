package bestow

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Client calls Bestow with one API key. Make it with [New]; it may be used by many goroutines at once.
type Client struct {
	Orders           OrderService
	Gifts            GiftService
	Categories       CategoryService
	Contacts         ContactService
	Balance          BalanceService
	Ledger           LedgerService
	Events           EventService
	WebhookEndpoints WebhookEndpointService
	Sandbox          SandboxService

	connection *connection
	defaults   callOptions
}

// connection is what a client has in common with those that its With returned.
type connection struct {
	address   string
	key       string
	http      http.Client
	logger    *slog.Logger
	onAttempt func(Attempt)
	store     Store
	// hasAnswered: the service has answered here, so the address is right.
	hasAnswered atomic.Bool
	// sleep and now are replaced by tests.
	sleep func(context.Context, time.Duration)
	now   func() time.Time
}

// sharedTransport is shared by all clients without an HTTPClient.
var sharedTransport = &http.Transport{
	Proxy: http.ProxyFromEnvironment,
	// http.DefaultTransport keeps two idle connections.
	MaxIdleConnsPerHost: 100,
	// The service closes them after 65 seconds.
	IdleConnTimeout:     60 * time.Second,
	TLSHandshakeTimeout: 10 * time.Second,
	// HTTP/1.1 only: after a late answer net/http uses the same HTTP/2 connection again, also if it is dead. Five of five
	// attempts failed so; with HTTP/1.1 the second one had its answer.
	TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
}

// New returns a client. The defaults apply to every call. The error says which option is missing or wrong; nothing is
// sent.
func New(options Options, defaults ...CallOption) (*Client, error) {
	key, err := keyOf(options.Key)
	if err != nil {
		return nil, err
	}
	address, err := addressOf(options.BaseURL, options.AllowInsecureHTTP)
	if err != nil {
		return nil, err
	}
	connection := &connection{
		address:   address,
		key:       key,
		http:      http.Client{Transport: sharedTransport},
		logger:    options.Logger,
		onAttempt: options.OnAttempt,
		store:     options.Store,
		sleep:     sleep,
		now:       time.Now,
	}
	if options.HTTPClient != nil {
		connection.http = *options.HTTPClient
	}
	if transport, pauses := connection.http.Transport.(pauser); pauses {
		connection.sleep = transport.Pause
	}
	if connection.http.Transport == nil {
		connection.http.Transport = http.DefaultTransport
	}
	connection.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	initial := callOptions{timeout: defaultTimeout, attemptTimeout: defaultAttemptTimeout}.withDefaults(defaults)
	if initial.err != nil {
		return nil, initial.err
	}
	return newClient(connection, initial), nil
}

// pauser is a transport that also waits between attempts: bestowtest's moves its clock, so that no test waits.
type pauser interface {
	Pause(ctx context.Context, pause time.Duration)
}

func newClient(connection *connection, defaults callOptions) *Client {
	client := &Client{connection: connection, defaults: defaults}
	client.Orders.client = client
	client.Gifts.client = client
	client.Categories.client = client
	client.Contacts.client = client
	client.Balance.client = client
	client.Ledger.client = client
	client.Events.client = client
	client.WebhookEndpoints.client = client
	client.Sandbox.client = client
	return client
}

// With returns a client with the same key, address and connections, and other defaults. A wrong option is returned by
// each call.
func (client *Client) With(defaults ...CallOption) *Client {
	return newClient(client.connection, client.defaults.withDefaults(defaults))
}

// Health returns nil if the service answers.
func (client *Client) Health(ctx context.Context, options ...CallOption) error {
	_, err := call[json.RawMessage](ctx, client, request{operation: getHealth, path: getHealth.path}, options)
	return err
}

// OpenAPI returns the OpenAPI document of the service.
func (client *Client) OpenAPI(ctx context.Context, options ...CallOption) (json.RawMessage, error) {
	return dereference(call[json.RawMessage](ctx, client, request{operation: getOpenapi, path: getOpenapi.path}, options))
}

// Do calls an operation that this version does not know. The path begins with a slash and may have a query. The body, if
// any, is sent as JSON, and the answer, if not nil, is decoded from JSON. A call other than GET is retried without an
// answer only if it has [WithIdempotencyKey], which the operation must support.
func (client *Client) Do(
	ctx context.Context, method, path string, body, answer any, options ...CallOption,
) error {
	target, err := url.Parse(path)
	if err != nil || !strings.HasPrefix(path, "/") || target.Host != "" || strings.Contains(path, "#") {
		return errors.New("bestow: the path must begin with one slash, such as /v1/later")
	}
	method = strings.ToUpper(method)
	if !token.MatchString(method) {
		return errors.New("bestow: the method is missing or wrong")
	}
	hasKey := callOptions{}.with(options).key != nil
	raw, err := call[json.RawMessage](ctx, client, request{
		operation: laterOperation(method, target.Path, hasKey), path: path, body: body,
	}, options)
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(*raw, answer)
}

// pathOf puts ids into the path of an operation.
func pathOf(op operation, ids ...string) (string, error) {
	path := op.path
	for _, id := range ids {
		if id == "" || id == "." || id == ".." || !utf8.ValidString(id) {
			return "", fmt.Errorf("bestow: %s %s: the id is missing or wrong", op.method, op.path)
		}
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		// A brace in an id is escaped, so it cannot be taken for the next place.
		path = before + url.PathEscape(id) + after
	}
	return path, nil
}

// callPath calls an operation whose path has ids.
func callPath[Result any](
	ctx context.Context, client *Client, op operation, ids []string, body any, options []CallOption,
) (*Result, error) {
	path, err := pathOf(op, ids...)
	if err != nil {
		return nil, err
	}
	return call[Result](ctx, client, request{operation: op, path: path, body: body}, options)
}

// callPlain calls an operation without ids and query.
func callPlain[Result any](
	ctx context.Context, client *Client, op operation, body any, options []CallOption,
) (*Result, error) {
	return call[Result](ctx, client, request{operation: op, path: op.path, body: body}, options)
}

func dereference[Value any](value *Value, err error) (Value, error) {
	if err != nil {
		var none Value
		return none, err
	}
	return *value, nil
}
