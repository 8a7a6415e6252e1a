package bestow

import (
	"context"
	"net/url"
)

// Delete removes a contact. Gifts that are ordered for it and not sent are canceled, and open requests for them are withdrawn.
// It is sent once, because a second time returns CodeResourceMissing.
func (service ContactService) Delete(
	ctx context.Context, contactID string, options ...CallOption,
) (*DeletedContact, error) {
	return service.remove(ctx, contactID, url.Values{}, options)
}

// DeleteAndKeepGifts removes a contact as Delete does, and leaves the gifts and the requests as they are.
func (service ContactService) DeleteAndKeepGifts(
	ctx context.Context, contactID string, options ...CallOption,
) (*DeletedContact, error) {
	return service.remove(ctx, contactID, url.Values{"unsent_gifts": {"keep"}}, options)
}

func (service ContactService) remove(
	ctx context.Context, contactID string, values url.Values, options []CallOption,
) (*DeletedContact, error) {
	path, err := pathOf(deleteContact, contactID)
	if err != nil {
		return nil, err
	}
	one := request{operation: deleteContact, path: withQuery(path, values)}
	return call[DeletedContact](ctx, service.client, one, options)
}
