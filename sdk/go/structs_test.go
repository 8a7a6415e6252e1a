package bestow

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// structs have the members of their schemas; object is the mark of an answer.
var structs = map[string]any{
	"DeletedContact": DeletedContact{},
	"Category":       Category{}, "CategoryList": Page[Category]{}, "OrderInput": OrderInput{}, "GiftInput": GiftInput{},
	"DeliveryInput": DeliveryInput{}, "PersonalizationInput": Personalization{}, "Order": Order{}, "Gift": Gift{},
	"GiftHistory": GiftHistory{}, "GiftSpending": GiftSpending{}, "GiftMessage": GiftMessage{}, "GiftOrder": GiftOrder{},
	"GiftCard": GiftCard{}, "DeliveryFailure": DeliveryFailure{}, "OrderHistory": OrderHistory{}, "OrderedBy": OrderedBy{},
	"GiftDelivery": GiftDelivery{}, "GiftPersonalization": Personalization{}, "GiftCancellation": GiftCancellation{},
	"OrderList": Page[Order]{}, "GiftList": Page[Gift]{}, "RedirectInput": DeliveryInput{}, "CancelInput": CancelInput{},
	"ScheduleInput": scheduleInput{}, "DeliveryOutcome": deliveryOutcome{}, "SandboxResetResult": ResetResult{},
	"BalanceSummary": Balance{}, "BalanceEntry": BalanceEntry{}, "BalanceEntryList": Page[BalanceEntry]{},
	"LedgerCheckpoint": LedgerCheckpoint{}, "LedgerProof": LedgerProof{}, "LedgerLeg": LedgerLeg{},
	"SealedEntry": LedgerEntry{}, "LedgerStatement": LedgerStatement{}, "Contact": Contact{},
	"ContactDelivery": ContactDelivery{}, "ContactDeliveryInput": DeliveryInput{}, "ContactList": Page[Contact]{},
	"Event": Event{}, "EventList": EventPage{}, "WebhookEndpointInput": WebhookEndpointInput{},
	"WebhookEndpoint": WebhookEndpoint{}, "WebhookEndpointWithSecret": WebhookEndpointWithSecret{},
	"WebhookEndpointList": Page[WebhookEndpoint]{}, "WebhookRotateInput": rotateInput{}, "WebhookEnableInput": enableInput{},
	"WebhookAttempt": WebhookAttempt{}, "WebhookPastAttempt": WebhookAttempt{}, "WebhookDelivery": WebhookDelivery{},
	"WebhookDeliveryList": Page[WebhookDelivery]{}, "WebhookResendInput": resendInput{}, "WebhookResendResult": resendResult{},
}

// elsewhere: texts, errors, maps and inputs with a MarshalJSON, which TestInputs… checks.
var elsewhere = []string{
	"ApiError", "ContactInput", "DeletedWebhookEndpoint", "DeliveryResult", "EmailDelivery", "ErrorResponse",
	"EventData", "Health", "LinkDelivery", "OpenapiDocument", "PhoneDelivery", "WebhookEndpointChange",
}

// laterMembers are of one schema of those that share a struct.
var laterMembers = map[string][]string{
	"WebhookAttempt": {"attempted_at"}, "WebhookPastAttempt": {"accepted"}, "RedirectInput": nil, "ContactDeliveryInput": nil,
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
	structs["push"] = WebhookEvent{}
	for name, described := range read.Components.Schemas {
		structure, isKnown := structs[name]
		if !isKnown {
			if !slices.Contains(elsewhere, name) {
				t.Errorf("no struct for the schema %s", name)
			}
			continue
		}
		want := map[string]bool{}
		for _, part := range append(described.OneOf, described) {
			for member := range read.resolve(part).Properties {
				want[member] = true
			}
		}
		delete(want, "object")
		isList := strings.HasPrefix(reflect.TypeOf(structure).Name(), "Page[")
		for _, member := range membersOf(reflect.TypeOf(structure)) {
			isOptional := slices.Contains(laterMembers[name], member) || (isList && member == "next_cursor")
			if !want[member] && !isOptional {
				t.Errorf("the schema %s has no %s", name, member)
			}
			delete(want, member)
		}
		if len(want) > 0 {
			t.Errorf("the struct of %s lacks %v", name, want)
		}
	}
}

func (read document) resolve(part schema) schema {
	if part.Ref != "" {
		return read.Components.Schemas[part.Ref[strings.LastIndex(part.Ref, "/")+1:]]
	}
	return part
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
