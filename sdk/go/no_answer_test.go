package bestow

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestAnAnswerAboveTheBoundIsNoAnswer(t *testing.T) {
	endless := &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
		body := io.MultiReader(strings.NewReader(orderJSON), io.LimitReader(blanks{}, maxAnswerBytes))
		return &http.Response{StatusCode: 201, Header: http.Header{}, Body: io.NopCloser(body)}, nil
	})}
	client, _ := newTestClient(t, "https://service.test", Options{HTTPClient: endless}, WithMaxRetries(0))
	_, err := client.Orders.Create(context.Background(), testOrder)
	failure := mustFail(t, err)
	equal(t, "kind", failure.Kind, KindConnection)
	words := "HTTP 201 of https://service.test has more than the 16 MiB that the client reads: the outcome is unknown"
	equal(t, "message", failure.Message, words)
}

func TestAProxyThatRequiresAuthenticationIsNamedAtOnce(t *testing.T) {
	proxy := startScript(t, answerWith(407, ""))
	address, _ := url.Parse(proxy.URL)
	own := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(address)}}
	for base, isUnknown := range map[string]bool{"https://service.test": false, "http://service": true} {
		client, _ := newTestClient(t, base, Options{HTTPClient: own})
		_, err := client.Orders.Create(context.Background(), testOrder)
		failure := mustFail(t, err)
		equal(t, "message", strings.Contains(failure.Message, "(HTTP 407: the proxy requires authentication)"), true)
		equal(t, base+": attempts", failure.Attempts, 1)
		equal(t, base+": outcome unknown", failure.OutcomeUnknown, isUnknown)
	}
}

type blanks struct{}

func (blanks) Read(buffer []byte) (int, error) {
	for index := range buffer {
		buffer[index] = ' '
	}
	return len(buffer), nil
}
