package bestow

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Page is one page of a list.
type Page[Item any] struct {
	Data []Item `json:"data"`
	// HasMore says that more items follow in the direction of travel.
	HasMore bool `json:"has_more"`
	// NextCursor continues a filtered search that paused before the page was full; otherwise continue with the last id.
	NextCursor string `json:"next_cursor,omitempty"`
}

// pageLimit is how many items an iteration fetches at a time.
const pageLimit = 100

// valuesOf writes a query struct as parameters, named by its tags. Zero fields are left out.
func valuesOf(query any) url.Values {
	values := url.Values{}
	structure := reflect.ValueOf(query)
	for index := range structure.NumField() {
		name := structure.Type().Field(index).Tag.Get("query")
		field := structure.Field(index)
		if field.IsZero() {
			continue
		}
		switch value := field.Interface().(type) {
		case time.Time:
			values.Set(name, value.Format(time.RFC3339Nano))
		case map[string]string:
			for key, one := range value {
				values.Set(name+"["+key+"]", one)
			}
		case int:
			values.Set(name, strconv.Itoa(value))
		default:
			values.Set(name, fmt.Sprint(value))
		}
	}
	return values
}

func withQuery(path string, values url.Values) string {
	if len(values) == 0 {
		return path
	}
	return path + "?" + values.Encode()
}

// list describes a list operation with cursors.
type list[Item any] struct {
	client    *Client
	operation operation
	ids       []string
	idOf      func(Item) string
}

func (list list[Item]) page(ctx context.Context, values url.Values, options []CallOption) (*Page[Item], error) {
	path, err := pathOf(list.operation, list.ids...)
	if err != nil {
		return nil, err
	}
	if err := checkQuery(values); err != nil {
		return nil, err
	}
	target := request{operation: list.operation, path: withQuery(path, values)}
	return call[Page[Item]](ctx, list.client, target, options)
}

// all iterates over the items of all pages, and ends after an error. With ending_before it goes towards newer items.
func (list list[Item]) all(ctx context.Context, given url.Values, options []CallOption) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		values := url.Values{}
		for name, value := range given {
			values[name] = value
		}
		if !values.Has("limit") {
			values.Set("limit", strconv.Itoa(pageLimit))
		}
		isBackward := values.Has("ending_before")
		for {
			page, err := list.page(ctx, values, options)
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			if isBackward {
				// Pages are newest first in both directions.
				slices.Reverse(page.Data)
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			cursor := page.NextCursor
			if cursor == "" && len(page.Data) > 0 {
				cursor = list.idOf(page.Data[len(page.Data)-1])
			}
			if !page.HasMore || cursor == "" {
				return
			}
			if isBackward {
				values.Set("ending_before", cursor)
			} else {
				values.Set("starting_after", cursor)
			}
		}
	}
}
