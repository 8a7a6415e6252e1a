package bestow

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The published vector of Standard Webhooks.
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorSeconds   = 1_614_265_330
	vectorBody      = `{"test": 2432232314}`
	vectorSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

func vectorHeader(changes ...string) http.Header {
	header := http.Header{}
	header.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	header.Set("webhook-timestamp", "1614265330")
	header.Set("webhook-signature", vectorSignature)
	for index := 0; index < len(changes); index += 2 {
		header.Set(changes[index], changes[index+1])
	}
	return header
}

func verifyVector(body string, header http.Header, secret string) error {
	_, err := verifyWebhook([]byte(body), header, secret, time.Unix(vectorSeconds, 0))
	return err
}

func TestThePublishedVectorIsSignedAndVerified(t *testing.T) {
	signed, err := SignTestWebhook([]byte(vectorBody), vectorSecret, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(vectorSeconds, 0))
	if err != nil || signed.Get("Webhook-Signature") != vectorSignature {
		t.Error(signed, err)
	}
	lower := http.Header{"webhook-id": {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, "webhook-timestamp": {"1614265330"}, "WEBHOOK-signature": {vectorSignature}}
	for _, header := range []http.Header{
		signed, lower, vectorHeader(), vectorHeader("webhook-signature", "v1,AAAA v2,x "+vectorSignature),
	} {
		for _, secret := range []string{vectorSecret, vectorSecret + "\n", strings.TrimPrefix(vectorSecret, secretPrefix)} {
			if err := verifyVector(vectorBody, header, secret); err != nil {
				t.Error(header, err)
			}
		}
	}
}

func TestAPushAndTheFeedNameTheTimeAlike(t *testing.T) {
	body := []byte(`{"type": "gift.claimed", "timestamp": "2026-11-30T08:00:00Z"}`)
	header, _ := SignTestWebhook(body, vectorSecret, "", time.Time{})
	event, err := VerifyWebhook(body, header, vectorSecret)
	if err != nil || event.CreatedAt.IsZero() || !event.CreatedAt.Equal(event.Timestamp) {
		t.Error(event, err)
	}
}

func TestEachCommonMistakeIsNamed(t *testing.T) {
	wrongKey := base64.StdEncoding.EncodeToString([]byte("another secret"))
	for name, test := range map[string]struct {
		body, secret string
		header       http.Header
		message      string
	}{
		"a changed body":     {vectorBody + " ", vectorSecret, vectorHeader(), "pass the body as received"},
		"another secret":     {vectorBody, wrongKey, vectorHeader(), "this endpoint's secret"},
		"no secret":          {vectorBody, "", vectorHeader(), "secret is missing"},
		"a prefix only":      {vectorBody, "whsec_", vectorHeader(), "secret is missing"},
		"an API key":         {vectorBody, testKey, vectorHeader(), "begins with whsec_"},
		"no body":            {"", vectorSecret, vectorHeader(), "read the request's body once"},
		"Base64":             {base64.StdEncoding.EncodeToString([]byte(vectorBody)), vectorSecret, vectorHeader(), "decode it first"},
		"no headers":         {vectorBody, vectorSecret, nil, "no header webhook-id"},
		"no signature":       {vectorBody, vectorSecret, vectorHeader("webhook-signature", ""), "no header webhook-signature"},
		"no time":            {vectorBody, vectorSecret, vectorHeader("webhook-timestamp", "now"), "not a number of seconds"},
		"an old time":        {vectorBody, vectorSecret, vectorHeader("webhook-timestamp", "1614265029"), "five minutes"},
		"an early time":      {vectorBody, vectorSecret, vectorHeader("webhook-timestamp", "1614265631"), "five minutes"},
		"another time":       {vectorBody, vectorSecret, vectorHeader("webhook-timestamp", "1614265331"), "not signed"},
		"another id":         {vectorBody, vectorSecret, vectorHeader("webhook-id", "msg_1"), "not signed"},
		"a later version":    {vectorBody, vectorSecret, vectorHeader("webhook-signature", "v2,"+vectorSignature[3:]), "not signed"},
		"a broken signature": {vectorBody, vectorSecret, vectorHeader("webhook-signature", "v1,!"), "not signed"},
	} {
		err := verifyVector(test.body, test.header, test.secret)
		var failure *VerificationError
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), test.message) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAPushBecomesAnEvent(t *testing.T) {
	body := []byte(`{"type":"gift.claimed","timestamp":"2026-11-21T12:00:00Z","data":{"gift_id":"gift_1","delivery":{"status":"claimed"}},"event_id":"evt_1","sequence":6,"previous_sequence":null}`)
	header, err := SignTestWebhook(body, vectorSecret, "", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	event, err := VerifyWebhook(body, header, vectorSecret)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "type", event.Type, EventGiftClaimed)
	equal(t, "status", event.Data.Delivery.Status, GiftClaimed)
	equal(t, "sequences", event.Sequence+event.PreviousSequence, 6)
	for _, text := range []string{"no JSON", "[]", `{"timestamp":"x"}`} {
		header, _ := SignTestWebhook([]byte(text), vectorSecret, "", time.Time{})
		if _, err := VerifyWebhook([]byte(text), header, vectorSecret); err == nil || !strings.Contains(err.Error(), "not an event") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzVerifyWebhook(f *testing.F) {
	f.Add([]byte(vectorBody), "msg_1", "1614265330", vectorSignature, vectorSecret)
	f.Add([]byte(`{"data":{"delivery":1}}`), "", "-1", "v1, v1,", "whsec_")
	f.Fuzz(func(t *testing.T, body []byte, id, timestamp, signature, secret string) {
		header := vectorHeader("webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", signature)
		if _, err := verifyWebhook(body, header, secret, time.Unix(vectorSeconds, 0)); err == nil && !strings.Contains(signature, vectorSignature) {
			t.Error("accepted")
		}
		// What is signed is parsed, too.
		if signed, err := SignTestWebhook(body, vectorSecret, id, time.Unix(vectorSeconds, 0)); err == nil {
			_, _ = verifyWebhook(body, signed, vectorSecret, time.Unix(vectorSeconds, 0))
		}
	})
}

func FuzzParseError(f *testing.F) {
	f.Add([]byte(`{"error":{"type":"api_error","code":"x","request_id":"r","message":1}}`), "Sat, 28 Nov 2026 05:00:00 GMT", 503)
	f.Add([]byte(`{"error":[]}`), "1, 2", 429)
	f.Fuzz(func(t *testing.T, body []byte, wait string, status int) {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(body, &members)
		header := http.Header{"Retry-After": {wait}}
		after := retryAfter(header, time.Unix(vectorSeconds, 0))
		if after < 0 || after > maxRetryAfter {
			t.Error(after)
		}
		if failure := parseError(members, Error{Status: status}, header); failure != nil && failure.Error() == "" {
			t.Error("no message")
		}
	})
}
