package bestowtest

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"bestow.example/bestow"
)

const (
	secretBytes   = 32
	overlapHours  = 24
	mostEndpoints = 10
)

func newSecret() string {
	random := make([]byte, secretBytes)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(random)
}

// withSecret returns the endpoint as only the answer that made it shows it.
func (one *endpoint) withSecret() object {
	shown := maps.Clone(one.shown)
	shown["secret"] = one.secrets[0]
	return shown
}

// readURL returns the address as it is requested.
func readURL(url string) (string, *refusal) {
	switch {
	case !endpointPattern.MatchString(url):
		return "", invalid("url", "must be an https:// address without user and fragment, with the port 443 or one from 1024 on")
	case privateEndpointPattern.MatchString(url):
		return "", invalid("url", "must have a public address")
	case !strings.Contains(strings.TrimPrefix(url, "https://"), "/"):
		return url + "/", nil
	}
	return url, nil
}

func (kept *memory) change(one *endpoint, given object) *refusal {
	if text, isGiven := given["url"].(string); isGiven {
		url, refused := readURL(text)
		if refused != nil {
			return refused
		}
		given = maps.Clone(given)
		given["url"] = url
	}
	status := one.shown["status"]
	maps.Copy(one.shown, given)
	one.types, _ = one.shown["types"].([]any)
	if one.shown["status"] != status {
		one.shown["disabled_reason"], one.shown["disabled_at"] = nil, nil
		if status == "enabled" {
			one.shown["disabled_reason"], one.shown["disabled_at"] = "requested", kept.now()
		}
	}
	return nil
}

func (kept *memory) createEndpoint(given object) (string, *refusal) {
	id := kept.nextID("wh")
	one := &endpoint{secrets: []string{newSecret()}, shown: object{
		"endpoint_id": id, "description": nil, "types": nil, "ordered": false, "status": "enabled",
		"disabled_reason": nil, "disabled_at": nil, "failing_since": nil, "paused_until": nil,
		"sequence": kept.sequence, "previous_secret_until": nil, "created_at": kept.now(),
	}}
	if len(kept.endpoints.items) >= mostEndpoints {
		return "", refuse("webhook_endpoint_limit_reached")
	}
	if refused := kept.change(one, given); refused != nil {
		return "", refused
	}
	kept.endpoints.add(id, one)
	return id, nil
}

// rotateSecret signs with a new secret, and for some hours with the earlier one too.
func (kept *memory) rotateSecret(one *endpoint, body object) {
	hours := int64(overlapHours)
	if given, isGiven := body["overlap_hours"]; isGiven {
		hours = wholeNumber(given)
	}
	earlier := one.secrets[:1]
	if hours == 0 {
		earlier = nil
	}
	one.secrets = append([]string{newSecret()}, earlier...)
	one.shown["previous_secret_until"] = timeText(kept.time().Add(time.Duration(hours) * time.Hour))
}

// push pushes what happened to every endpoint that wants it.
func (kept *memory) push() {
	for _, one := range kept.endpoints.all() {
		if one.shown["status"] == "disabled" {
			continue
		}
		after, _ := one.shown["sequence"].(int64)
		one.shown["sequence"] = kept.sequence
		for _, happened := range kept.events {
			isWanted := one.types == nil || slices.Contains(one.types, any(happened.kind))
			if happened.sequence > after && isWanted {
				kept.pushTo(one, happened)
			}
		}
	}
}

func (kept *memory) pushTo(one *endpoint, happened event) {
	body, err := json.Marshal(object{
		"type": happened.kind, "timestamp": happened.createdAt, "data": happened.data, "event_id": happened.id,
		"sequence": happened.sequence, "previous_sequence": one.lastSequence,
	})
	if err != nil {
		panic(err)
	}
	var signatures []string
	header, name := map[string][]string{}, "Webhook-Signature"
	for _, secret := range one.secrets {
		signed, err := bestow.SignTestWebhook(body, secret, happened.id, time.Time{})
		if err != nil {
			panic(err)
		}
		signatures = append(signatures, signed.Get(name))
		header = signed
	}
	header[name], header["Content-Type"] = []string{strings.Join(signatures, " ")}, []string{"application/json"}
	one.lastSequence = happened.sequence
	url, _ := one.shown["url"].(string)
	kept.pushes = append(kept.pushes, Push{URL: url, Header: header, Body: body})
}
