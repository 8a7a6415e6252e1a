package bestow

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// byHand are the structs that are not generated. They have the members of their schemas; object is the mark of an answer.
var byHand = map[string]any{
	"Event": Event{}, "EventList": EventPage{}, "LedgerStatement": LedgerStatement{}, "SealedEntry": LedgerEntry{},
	"WebhookResendInput": resendInput{}, "WebhookResendResult": resendResult{}, "push": WebhookEvent{},
}

func membersOf(structure reflect.Type) []string {
	var names []string
	for index := range structure.NumField() {
		field := structure.Field(index)
		if field.Anonymous {
			names = append(names, membersOf(field.Type)...)
		} else if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func TestTheStructsHaveTheMembersOfTheDocument(t *testing.T) {
	read := readDocument(t)
	read.Components.Schemas["push"] = read.Webhooks["event"]["post"].RequestBody.Content["application/json"].Schema
	for name, structure := range byHand {
		described, isKnown := read.Components.Schemas[name]
		if !isKnown {
			t.Errorf("no schema %s", name)
		}
		want := map[string]bool{}
		for member := range described.Properties {
			want[member] = true
		}
		delete(want, "object")
		for _, member := range membersOf(reflect.TypeOf(structure)) {
			if !want[member] {
				t.Errorf("the schema %s has no %s", name, member)
			}
			delete(want, member)
		}
		if len(want) > 0 {
			t.Errorf("the struct of %s lacks %v", name, want)
		}
	}
}

func TestKnownValuesHaveConstantsOrAreDescribed(t *testing.T) {
	var source strings.Builder
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && !strings.HasSuffix(file, "_test.go") {
			source.Write(text)
		}
	}
	for name, described := range readDocument(t).Components.Schemas {
		for member, property := range described.Properties {
			for _, value := range property.Known {
				isDescribed := name+member == "ApiErrorcode" || strings.Contains(source.String(), value)
				if !isDescribed {
					t.Errorf("%s.%s has the value %s, which the client does not name", name, member, value)
				}
			}
		}
	}
}

func TestInputsLeaveOutWhatStaysAndWriteNullForWhatIsRemoved(t *testing.T) {
	equal(t, "a contact", toJSON(t, ContactInput{Delivery: ByPhone("+1")}), `{"delivery":{"method":"phone","phone":"+1"}}`)
	equal(t, "a change of it", toJSON(t, ContactInput{
		Delivery: ByEmail("a@b.test"), Name: Ptr("Ada"), Language: Ptr(""), Tags: []string{}, ExternalID: Ptr("x"),
		Birthday: Ptr("03-14"), WorkAnniversary: Ptr(""),
	}), `{"birthday":"03-14","delivery":{"method":"email","email":"a@b.test"},"external_id":"x","language":null,"name":"Ada","tags":[],"work_anniversary":null}`)
	equal(t, "no change", toJSON(t, WebhookEndpointChange{}), `{}`)
	equal(t, "a change", toJSON(t, WebhookEndpointChange{
		URL: "https://a.test", Description: Ptr(""), Types: []string{}, Ordered: Ptr(false), Status: EndpointDisabled,
	}), `{"description":null,"ordered":false,"status":"disabled","types":null,"url":"https://a.test"}`)
	equal(t, "a rotation", toJSON(t, rotateInput{OverlapHours: Ptr(0)}), `{"overlap_hours":0}`)
	at := time.Date(2026, 12, 24, 9, 0, 0, 0, time.UTC)
	equal(t, "a gift", toJSON(t, GiftInput{Amount: 1000, Category: "coffee", Delivery: ByLink(), SendAt: &at}),
		`{"amount":1000,"category":"coffee","delivery":{"method":"link"},"send_at":"2026-12-24T09:00:00Z"}`)
}
