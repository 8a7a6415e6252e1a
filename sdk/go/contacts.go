// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// ContactService keeps the people to whom the organization sends gifts.
type ContactService struct{ client *Client }

// ContactQuery selects contacts. A zero field does not filter.
type ContactQuery struct {
	// How many a page has, 1 to 100; the service's default is 10, that of an iteration 100.
	Limit int `query:"limit"`
	// An id of this list: the page holds what comes after (older than) it. Not together with the other cursor.
	StartingAfter string `query:"starting_after"`
	// An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor.
	EndingBefore string `query:"ending_before"`
	// Only contacts with this tag.
	Tag string `query:"tag"`
	// Only the contact with this external_id.
	ExternalID string `query:"external_id"`
	// Only the contact with this email address or phone number.
	Recipient string `query:"recipient"`
}

// List returns all contacts of the organization in this environment, most recently added first. Codes of its errors:
// cursor_invalid.
func (service ContactService) List(
	ctx context.Context, query ContactQuery, options ...CallOption,
) (*Page[Contact], error) {
	return service.list().page(ctx, valuesOf(query), options)
}

// All iterates over the items of all pages, and ends after an error. With EndingBefore it goes towards newer ones,
// oldest first.
func (service ContactService) All(
	ctx context.Context, query ContactQuery, options ...CallOption,
) iter.Seq2[Contact, error] {
	return service.list().all(ctx, valuesOf(query), options)
}

func (service ContactService) list() list[Contact] {
	idOf := func(contact Contact) string { return contact.ContactID }
	return list[Contact]{client: service.client, operation: listContacts, idOf: idOf}
}

// Save changes the contact that has this external_id, or else this address, and creates it otherwise. A field that is
// nil or empty stays as it is; a pointer to an empty text removes it, and [] all tags. Repeating the request changes
// nothing. Gifts that are ordered and not sent go to a new address.
func (service ContactService) Save(ctx context.Context, input ContactInput, options ...CallOption) (*Contact, error) {
	return callPlain[Contact](ctx, service.client, saveContact, input, options)
}

// Retrieve returns one contact, with its address, tags and days. Codes of its errors: resource_missing.
func (service ContactService) Retrieve(ctx context.Context, contactID string, options ...CallOption) (*Contact, error) {
	return callPath[Contact](ctx, service.client, retrieveContact, []string{contactID}, nil, options)
}

// ContactDelivery is the address of a contact.
type ContactDelivery struct {
	// How gifts reach the contact. Known values: email, phone. More may come.
	Method string `json:"method"`
	Email  string `json:"email,omitempty"`
	// In E.164.
	Phone string `json:"phone,omitempty"`
}

// Contact is a person to whom the organization sends gifts.
type Contact struct {
	ContactID       string          `json:"contact_id"`
	Delivery        ContactDelivery `json:"delivery"`
	Name            string          `json:"name"`
	Language        string          `json:"language"`
	Tags            []string        `json:"tags"`
	ExternalID      string          `json:"external_id"`
	Birthday        string          `json:"birthday"`
	WorkAnniversary string          `json:"work_anniversary"`
	CreatedAt       time.Time       `json:"created_at"`
	ChangedAt       time.Time       `json:"changed_at"`
}

// ContactInput is a contact to add or change. A nil or empty field stays as it is, and a pointer to an empty text
// removes it.
type ContactInput struct {
	// Made by [ByEmail] or [ByPhone].
	Delivery DeliveryInput
	// The recipient's name; shown to them. It must be 1 to 200 characters without line breaks or control characters.
	Name *string
	// The language of the gift's page, email and text messages. Defaults to the organization's; then the page follows
	// the recipient's browser, and messages are in English. The recipient can choose another one on the page.
	Language *string
	// All tags of the contact, at most 20. Nil leaves them, and an empty slice removes them.
	Tags []string
	// Your own id for it. No other contact of the environment has it. It must be 1 to 255 characters without line
	// breaks or control characters.
	ExternalID *string
	// The birthday, as YYYY-MM-DD, or as MM-DD without the year.
	Birthday *string
	// The first day of work, as YYYY-MM-DD, or as MM-DD without the year.
	WorkAnniversary *string
}

// MarshalJSON leaves fields that stay as they are out, and writes a removed one as null.
func (input ContactInput) MarshalJSON() ([]byte, error) {
	members := map[string]any{}
	members["delivery"] = input.Delivery
	setText(members, "name", input.Name)
	setText(members, "language", input.Language)
	if input.Tags != nil {
		members["tags"] = input.Tags
	}
	setText(members, "external_id", input.ExternalID)
	setText(members, "birthday", input.Birthday)
	setText(members, "work_anniversary", input.WorkAnniversary)
	return json.Marshal(members)
}

// DeletedContact is what was deleted, and what is not sent because of it.
type DeletedContact struct {
	ContactID string `json:"contact_id"`
	Deleted   bool   `json:"deleted"`
	// Gifts that were ordered and not sent.
	CanceledGifts []string `json:"canceled_gifts"`
	// The cents that are back in the balance.
	Refunded int64 `json:"refunded"`
	// Requests that were open.
	WithdrawnRequests []string `json:"withdrawn_requests"`
}
