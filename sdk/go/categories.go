// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import "context"

// CategoryService reads the catalog.
type CategoryService struct{ client *Client }

// List returns everything that can be given, in one answer.
func (service CategoryService) List(ctx context.Context, options ...CallOption) (*Page[Category], error) {
	return callPlain[Page[Category]](ctx, service.client, listCategories, nil, options)
}

// Category is something that can be given.
type Category struct {
	// Send it as a gift's category.
	ID string `json:"id"`
	// The name that people see.
	Name string `json:"name"`
	// A short text on whom it suits.
	Description string `json:"description"`
	// URL of the card's artwork; empty without artwork.
	Artwork string `json:"artwork"`
	// A public page about this category.
	ProductDetailsURL string `json:"product_details_url"`
}
