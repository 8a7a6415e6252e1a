package bestow

import "context"

// CategoryService reads the catalog.
type CategoryService struct{ client *Client }

// Category is something that can be given.
type Category struct {
	// ID is what a gift has as its Category.
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Artwork is the URL of the card's artwork; empty without artwork.
	Artwork string `json:"artwork"`
	// ProductDetailsURL is a public page about the category.
	ProductDetailsURL string `json:"product_details_url"`
}

// List returns the whole catalog, on one page.
func (service CategoryService) List(ctx context.Context, options ...CallOption) (*Page[Category], error) {
	return callPlain[Page[Category]](ctx, service.client, listCategories, nil, options)
}
