package bestow

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	defaultTimeout        = 60 * time.Second
	defaultAttemptTimeout = 15 * time.Second
)

// Options of [New]. The zero value takes the key and the address from the environment.
type Options struct {
	// Key is the API key, which decides between live and sandbox. If empty, it is taken from BESTOW_KEY.
	Key string
	// BaseURL is the address of the service, such as https://gifts.example.com. If empty, it is taken from BESTOW_URL.
	BaseURL string
	// AllowInsecureHTTP allows an http address on the internet, where others can read the key. This machine, private
	// networks, and names without a dot or below .localhost, .local and .internal need no permission.
	AllowInsecureHTTP bool
	// HTTPClient sends the requests; use it for a proxy or a RoundTripper of your own. Its CheckRedirect is not used:
	// redirects are never followed, so that the key goes nowhere else.
	HTTPClient *http.Client
	// Logger gets one line for each attempt, at the level debug, without keys, bodies and queries.
	Logger *slog.Logger
	// OnAttempt is called after each attempt, in the goroutine of the call.
	OnAttempt func(Attempt)
	// Store keeps orders until their outcome is known; see [FolderStore] and [OrderService.Resume].
	Store Store
}

// String leaves out the key, as every way to print or log the options does.
func (options Options) String() string {
	return fmt.Sprintf("bestow.Options{BaseURL: %q}", options.BaseURL)
}

// GoString is String.
func (options Options) GoString() string { return options.String() }

// LogValue has no key.
func (options Options) LogValue() slog.Value { return slog.StringValue(options.String()) }

// Attempt describes one request, for logs and metrics.
type Attempt struct {
	Method string
	// Path has no query.
	Path string
	// Number is 1 for the first attempt of a call.
	Number   int
	Duration time.Duration
	// Status is the HTTP status; 0 if no answer came.
	Status    int
	RequestID string
	// IsReplay says that the answer is that of an earlier request with the same Idempotency-Key.
	IsReplay bool
	// Err is nil if the attempt succeeded.
	Err error
	// Pause is the wait before the next attempt; 0 after the last one.
	Pause time.Duration
}

// Answer says how the answer of a call came; see [WithAnswer].
type Answer struct {
	Status int
	Header http.Header
	// RequestID identifies the request; give it to the operator when you ask for help.
	RequestID string
	// IsReplay says that the answer is that of an earlier request with the same Idempotency-Key.
	IsReplay       bool
	IdempotencyKey string
	Attempts       int
}

// CallOption changes one call, or with [New] and [Client.With] every call of a client.
type CallOption func(*callOptions)

type callOptions struct {
	timeout        time.Duration
	attemptTimeout time.Duration
	maxRetries     *int
	header         http.Header
	key            *string
	answer         *Answer
	expand         []string
	err            error
}

// WithTimeout limits a call with all its attempts and pauses; 60 seconds by default. In an iteration it limits each page.
func WithTimeout(limit time.Duration) CallOption {
	return func(options *callOptions) {
		options.timeout = limit
		options.refuseIf(limit <= 0, "the timeout must be above 0")
	}
}

// WithAttemptTimeout limits one attempt, before the next begins; 15 seconds by default.
func WithAttemptTimeout(limit time.Duration) CallOption {
	return func(options *callOptions) {
		options.attemptTimeout = limit
		options.refuseIf(limit <= 0, "the timeout of an attempt must be above 0")
	}
}

// WithMaxRetries limits how often a call is sent again. By default it is 4 for reads; orders and other acts are retried
// until the timeout.
func WithMaxRetries(count int) CallOption {
	return func(options *callOptions) {
		options.maxRetries = &count
		options.refuseIf(count < 0, "the number of retries must not be below 0")
	}
}

// WithIdempotencyKey sets the key that all attempts carry, 1 to 255 printable ASCII characters. Store it with the body
// before the call to continue after a crash. By default it is a random UUID. Only orders and acts that can be repeated
// take one.
func WithIdempotencyKey(key string) CallOption {
	return func(options *callOptions) {
		options.key = &key
		options.refuseIf(!idempotencyKey.MatchString(key),
			"the idempotency key must be 1 to 255 printable ASCII characters, without blanks at its ends")
	}
}

// WithExpand asks for parts that gifts, and orders, have only then: [PartHistory] and the others. Calls that answer with
// gifts or orders, and their lists, take it. A Store does not keep it: give it to [OrderService.Resume], too.
func WithExpand(parts ...string) CallOption {
	return func(options *callOptions) {
		options.expand = append(options.expand[:len(options.expand):len(options.expand)], parts...)
	}
}

// WithHeader adds a header to the requests. Authorization and the headers of the body cannot be set.
func WithHeader(name, value string) CallOption {
	return func(options *callOptions) {
		canonical := http.CanonicalHeaderKey(name)
		options.refuseIf(!token.MatchString(name), "the name of a header must be a token of HTTP")
		options.refuseIf(!headerValue.MatchString(value), "the value of a header must be one line of text")
		options.refuseIf(slices.Contains(reservedHeaders, canonical), "the client sets the header "+canonical+" itself")
		header := options.header.Clone()
		if header == nil {
			header = http.Header{}
		}
		header.Set(canonical, value)
		options.header = header
	}
}

// WithAnswer writes to answer how the answer came, if the call succeeds.
func WithAnswer(answer *Answer) CallOption {
	return func(options *callOptions) { options.answer = answer }
}

var (
	idempotencyKey  = regexp.MustCompile(`^[!-~]([ -~]{0,253}[!-~])?$`)
	token           = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	headerValue     = regexp.MustCompile(`^[^\x00-\x08\x0a-\x1f\x7f]*$`)
	reservedHeaders = []string{
		"Accept", "Authorization", "Connection", "Content-Length", "Content-Type", "Host", "Idempotency-Key",
		"Transfer-Encoding",
	}
)

func (options *callOptions) refuseIf(isWrong bool, message string) {
	if isWrong && options.err == nil {
		options.err = errors.New("bestow: " + message)
	}
}

// with returns a copy with more options.
func (options callOptions) with(more []CallOption) callOptions {
	for _, apply := range more {
		if apply != nil {
			apply(&options)
		}
	}
	return options
}

// withDefaults applies the options of a client.
func (options callOptions) withDefaults(more []CallOption) callOptions {
	options = options.with(more)
	options.refuseIf(options.key != nil, "an idempotency key belongs to one call, not to a client")
	options.refuseIf(options.answer != nil, "WithAnswer belongs to one call, not to a client")
	options.refuseIf(len(options.expand) > 0, "WithExpand belongs to one call, not to a client")
	return options
}

// keyOf returns the key, without any part of a wrong one in the error.
func keyOf(given string) (string, error) {
	key := strings.TrimSpace(given)
	if key == "" {
		key = strings.TrimSpace(os.Getenv("BESTOW_KEY"))
	}
	if key == "" {
		return "", errors.New("bestow: the API key is missing; set Options.Key or BESTOW_KEY")
	}
	if strings.ContainsFunc(key, func(character rune) bool { return character <= ' ' || character > '~' }) {
		return "", errors.New("bestow: the API key must be one line of ASCII characters without blanks")
	}
	return key, nil
}

// addressOf returns the address without slashes at its end.
func addressOf(given string, allowsInsecure bool) (string, error) {
	address := given
	if address == "" {
		address = os.Getenv("BESTOW_URL")
	}
	if address == "" {
		return "", errors.New("bestow: the address is missing; set Options.BaseURL or BESTOW_URL")
	}
	parsed, err := url.Parse(address)
	isWrong := err != nil || parsed.Hostname() == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") ||
		parsed.User != nil || strings.ContainsAny(address, "?#")
	if isWrong {
		return "", errors.New("bestow: the address must begin with http:// or https:// and have no user, query or fragment")
	}
	address = strings.TrimRight(address, "/")
	if strings.HasSuffix(strings.TrimRight(parsed.Path, "/"), "/v1") {
		return "", fmt.Errorf("bestow: the address must end before /v1, which the client adds: %s", strings.TrimSuffix(address, "/v1"))
	}
	if parsed.Scheme == "http" && !allowsInsecure && !isPrivate(parsed.Hostname()) {
		return "", fmt.Errorf("bestow: http://%s would carry the API key over the internet unencrypted; use https://, or set Options.AllowInsecureHTTP", parsed.Host)
	}
	return address, nil
}

var (
	// sharedNetwork is of carriers and virtual private networks (RFC 6598).
	sharedNetwork = netip.MustParsePrefix("100.64.0.0/10")
	privateName   = regexp.MustCompile(`(?i)^([a-z][a-z0-9_-]*|.*\.(localhost|local|internal))\.?$`)
)

// isPrivate says whether a host is this machine, or is in a network that is not the internet.
func isPrivate(host string) bool {
	address, err := netip.ParseAddr(host)
	if err != nil {
		return privateName.MatchString(host)
	}
	address = address.Unmap()
	return address.IsLoopback() || address.IsPrivate() || address.IsLinkLocalUnicast() || address.IsUnspecified() ||
		sharedNetwork.Contains(address)
}
