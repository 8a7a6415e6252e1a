package bestow

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// WebhookEvent is an event that was pushed to an endpoint.
type WebhookEvent struct {
	// EventID is the same in each push of this event: remember it to do nothing twice.
	EventID string `json:"event_id"`
	// Type is such as EventGiftClaimed. Ignore types that you do not know.
	Type string `json:"type"`
	// Timestamp is when it happened.
	Timestamp time.Time `json:"timestamp"`
	// CreatedAt is Timestamp, under its name in an [Event].
	CreatedAt time.Time `json:"-"`
	// Sequence is the place among all events of the environment; 0 for EventWebhookTest.
	Sequence int64 `json:"sequence"`
	// PreviousSequence is the event pushed to this endpoint before; 0 for the first one.
	PreviousSequence int64     `json:"previous_sequence"`
	Data             EventData `json:"data"`
}

const (
	secretPrefix     = "whsec_"
	signatureVersion = "v1,"
	tolerance        = 5 * time.Minute
)

var digits = regexp.MustCompile(`^\d{1,15}$`)

// VerifyWebhook checks the signature of a webhook request (Standard Webhooks 1.0), and returns its event. The body is the
// one that was received, not parsed and written again. The secret is the endpoint's, which begins with whsec_. Answer 400
// if there is an error, which is a [*VerificationError].
func VerifyWebhook(body []byte, header http.Header, secret string) (*WebhookEvent, error) {
	return verifyWebhook(body, header, secret, time.Now())
}

func verifyWebhook(body []byte, header http.Header, secret string, now time.Time) (*WebhookEvent, error) {
	key, err := secretKey(secret)
	if err != nil {
		return nil, err
	}
	if len(body) == 0 {
		return nil, unverified("the webhook's body is empty; read the request's body once, before other handlers do")
	}
	var values [3]string
	for index, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if values[index] = headerOf(header, name); values[index] == "" {
			return nil, unverified("the webhook has no header %s", name)
		}
	}
	id, timestamp, signatures := values[0], values[1], values[2]
	if !digits.MatchString(timestamp) {
		return nil, unverified("the webhook's timestamp is not a number of seconds")
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if seconds < now.Add(-tolerance).Unix() || seconds > now.Add(tolerance).Unix() {
		return nil, unverified("the webhook's timestamp is more than five minutes away; check your clock")
	}
	expected := signatureOf(key, id, timestamp, body)
	for _, signature := range strings.Fields(signatures) {
		encoded, isKnown := strings.CutPrefix(signature, signatureVersion)
		given, err := base64.StdEncoding.DecodeString(encoded)
		if isKnown && err == nil && hmac.Equal(given, expected) {
			return parseWebhook(body)
		}
	}
	if isBase64OfJSON(body) {
		return nil, unverified("the webhook's body is Base64 of the body, as of an API gateway; decode it first")
	}
	return nil, unverified("the webhook was not signed with this secret for this body; " +
		"pass the body as received, and this endpoint's secret")
}

func parseWebhook(body []byte) (*WebhookEvent, error) {
	var event WebhookEvent
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, unverified("the webhook's body is not an event: %v", err)
	}
	event.CreatedAt = event.Timestamp
	return &event, nil
}

// SignTestWebhook returns the three headers of a webhook request, to test a receiver. An empty id is replaced by a random
// one, and a zero time by now. The error says what is wrong with the secret.
func SignTestWebhook(body []byte, secret, id string, at time.Time) (http.Header, error) {
	key, err := secretKey(secret)
	if err != nil {
		return nil, err
	}
	if id == "" {
		random, err := newUUID()
		if err != nil {
			return nil, err
		}
		id = "evt_" + random
	}
	if at.IsZero() {
		at = time.Now()
	}
	timestamp := strconv.FormatInt(at.Unix(), 10)
	header := http.Header{}
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", timestamp)
	signature := base64.StdEncoding.EncodeToString(signatureOf(key, id, timestamp, body))
	header.Set("webhook-signature", signatureVersion+signature)
	return header, nil
}

func signatureOf(key []byte, id, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return mac.Sum(nil)
}

func secretKey(secret string) ([]byte, error) {
	encoded := strings.TrimPrefix(strings.TrimSpace(secret), secretPrefix)
	if encoded == "" {
		return nil, unverified("the webhook secret is missing; pass the endpoint's, which begins with whsec_")
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, unverified("the secret is not one of a webhook endpoint, which begins with whsec_")
	}
	return key, nil
}

// headerOf finds a header in any case: a gateway may hand headers over whose names are not canonical.
func headerOf(header http.Header, name string) string {
	for given, values := range header {
		if strings.EqualFold(given, name) {
			return strings.Join(values, " ")
		}
	}
	return ""
}

func isBase64OfJSON(body []byte) bool {
	decoded, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(body)))
	return err == nil && json.Valid(decoded)
}
