package bestow

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// ContactService keeps the people to whom the organization sends gifts.
type ContactService struct{ client *Client }

// ContactInput is a contact to add or change. Its address decides which contact is changed. A nil field stays as it is,
// and a pointer to an empty text removes it.
type ContactInput struct {
	// Delivery is made by [ByEmail] or [ByPhone].
	Delivery DeliveryInput
	Name     *string
	Language *string
	// Tags are all tags of the contact, at most 20. Nil leaves them, and an empty slice removes them.
	Tags       []string
	ExternalID *string
	// Birthday is YYYY-MM-DD, or MM-DD without the year.
	Birthday *string
	// WorkAnniversary is the first day of work, in the same form.
	WorkAnniversary *string
}

// MarshalJSON leaves nil fields out, and writes a removed one as null.
func (input ContactInput) MarshalJSON() ([]byte, error) {
	members := map[string]any{"delivery": input.Delivery}
	setText(members, "name", input.Name)
	setText(members, "language", input.Language)
	setText(members, "external_id", input.ExternalID)
	setText(members, "birthday", input.Birthday)
	setText(members, "work_anniversary", input.WorkAnniversary)
	if input.Tags != nil {
		members["tags"] = input.Tags
	}
	return json.Marshal(members)
}

// Contact is a person to whom the organization sends gifts. A field that is not set is empty.
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

// ContactDelivery is the address of a contact.
type ContactDelivery struct {
	Method string `json:"method"`
	Email  string `json:"email,omitempty"`
	Phone  string `json:"phone,omitempty"`
}

// ContactQuery selects contacts. A zero field does not filter.
type ContactQuery struct {
	// Limit is how many a page has, 1 to 100; the service's default is 10, that of an iteration 100.
	Limit         int    `query:"limit"`
	StartingAfter string `query:"starting_after"`
	EndingBefore  string `query:"ending_before"`
	Tag           string `query:"tag"`
	ExternalID    string `query:"external_id"`
	Recipient     string `query:"recipient"`
}

// List returns one page, newest first.
func (service ContactService) List(
	ctx context.Context, query ContactQuery, options ...CallOption,
) (*Page[Contact], error) {
	return service.list().page(ctx, valuesOf(query), options)
}

// All iterates over all contacts, newest first. It ends after an error.
func (service ContactService) All(
	ctx context.Context, query ContactQuery, options ...CallOption,
) iter.Seq2[Contact, error] {
	return service.list().all(ctx, valuesOf(query), options)
}

func (service ContactService) list() list[Contact] {
	idOf := func(contact Contact) string { return contact.ContactID }
	return list[Contact]{client: service.client, operation: listContacts, idOf: idOf}
}

// Save adds a contact, or changes the one that has the address.
func (service ContactService) Save(ctx context.Context, input ContactInput, options ...CallOption) (*Contact, error) {
	return callPlain[Contact](ctx, service.client, saveContact, input, options)
}

// Retrieve returns CodeResourceMissing if there is no such contact.
func (service ContactService) Retrieve(ctx context.Context, contactID string, options ...CallOption) (*Contact, error) {
	return callPath[Contact](ctx, service.client, retrieveContact, []string{contactID}, nil, options)
}

// DeletedContact says what a deletion ended.
type DeletedContact struct {
	ContactID string `json:"contact_id"`
	Deleted   bool   `json:"deleted"`
	// CanceledGifts are the gifts that were ordered for the contact and not sent.
	CanceledGifts []string `json:"canceled_gifts"`
	// Refunded is the sum of their amounts in cents, which is back in the balance.
	Refunded int64 `json:"refunded"`
	// WithdrawnRequests are the requests for gifts to the contact that were open.
	WithdrawnRequests []string `json:"withdrawn_requests"`
}
