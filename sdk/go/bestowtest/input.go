package bestowtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// refusal is an error of the interface.
type refusal struct {
	code    string
	details object
}

// Error returns the code.
func (refused *refusal) Error() string { return refused.code }

func refuse(code string, details ...string) *refusal {
	named := object{}
	for index := 0; index < len(details); index += 2 {
		named[details[index]] = details[index+1]
	}
	return &refusal{code, named}
}

func invalid(param, rule string) *refusal {
	return refuse("parameter_invalid", "param", param, "message", param+" "+rule+".")
}

func (one *schema) resolved() *schema {
	if one.Ref == "" {
		return one
	}
	return rules.Schemas[one.Ref[strings.LastIndex(one.Ref, "/")+1:]]
}

// withoutNulls returns the value without members that are null, although they cannot be: they are absent.
func withoutNulls(one *schema, value any) any {
	if one == nil {
		return value
	}
	named := one.resolved()
	switch value := value.(type) {
	case []any:
		kept := make([]any, len(value))
		for index, item := range value {
			kept[index] = withoutNulls(named.Items, item)
		}
		return kept
	case object:
		if named.Discriminator != nil {
			chosen, _ := value[named.Discriminator.PropertyName].(string)
			if reference, isKnown := named.Discriminator.Mapping[chosen]; isKnown {
				return withoutNulls(&schema{Ref: reference}, value)
			}
		}
		kept := object{}
		for name, item := range value {
			member := named.Properties.schemas[name]
			isRequired := slices.Contains(named.Required, name)
			if item != nil || member == nil || isRequired || check(member, nil, "") == nil {
				kept[name] = withoutNulls(member, item)
			}
		}
		return kept
	}
	return value
}

// check returns the first part of a body or parameter that is wrong, as the service does; nil if it is valid.
func check(one *schema, value any, path string) *refusal {
	named := one.resolved()
	rule := one.Rule
	if rule == "" {
		rule = named.Rule
	}
	switch {
	case named.AnyOf != nil:
		isValid := func(other *schema) bool { return check(other, value, "") == nil }
		if !slices.ContainsFunc(named.AnyOf, isValid) {
			return invalid(path, rule)
		}
	case named.pairs != nil:
		// A wrong pair makes the whole wrong.
		if !arePairs(named, value) {
			return invalid(path, rule)
		}
	case named.Discriminator != nil || named.Type == "object":
		return checkObject(named, value, path)
	case !isPlain(named, value):
		return invalid(path, rule)
	}
	if items, isList := value.([]any); isList && named.Items != nil {
		for index, item := range items {
			if refused := check(named.Items, item, fmt.Sprintf("%s[%d]", path, index)); refused != nil {
				return refused
			}
		}
	}
	return nil
}

func arePairs(one *schema, value any) bool {
	members, isObject := value.(object)
	if !isObject || (one.MaxProperties != nil && len(members) > *one.MaxProperties) {
		return false
	}
	for name, member := range members {
		isNameWrong := one.PropertyNames != nil && check(one.PropertyNames, name, "") != nil
		if isNameWrong || check(one.pairs, member, "") != nil {
			return false
		}
	}
	return true
}

func checkObject(one *schema, value any, path string) *refusal {
	members, isObject := value.(object)
	if !isObject && path == "" {
		return invalid("body", "must be a JSON object")
	}
	if !isObject {
		return invalid(path, "must be an object")
	}
	prefix := path
	if path != "" {
		prefix += "."
	}
	if one.Discriminator != nil {
		chosen, _ := members[one.Discriminator.PropertyName].(string)
		reference, isKnown := one.Discriminator.Mapping[chosen]
		if !isKnown {
			return invalid(prefix+one.Discriminator.PropertyName, "must be one of "+strings.Join(slices.Sorted(maps.Keys(one.Discriminator.Mapping)), ", "))
		}
		return check(&schema{Ref: reference}, value, path)
	}
	for _, name := range one.Required {
		if _, isThere := members[name]; !isThere {
			return invalid(prefix+name, "is required")
		}
	}
	for name := range members {
		if one.Properties.schemas[name] == nil {
			return invalid(prefix+name, "is not known here")
		}
	}
	for _, name := range one.Properties.names {
		if member, isThere := members[name]; isThere {
			if refused := check(one.Properties.schemas[name], member, prefix+name); refused != nil {
				return refused
			}
		}
	}
	return nil
}

func isPlain(one *schema, value any) bool {
	if (one.Const != nil && value != one.Const) || (one.Enum != nil && !slices.Contains(one.Enum, value)) {
		return false
	}
	switch value := value.(type) {
	case nil:
		return one.Type == "null"
	case bool:
		return one.Type == "boolean"
	case string:
		return one.Type == "string" && isText(one, value)
	case []any:
		return one.Type == "array" && isBetween(int64(len(value)), one.MinItems, one.MaxItems)
	case json.Number:
		number, isWhole := readWhole(value)
		return one.Type == "integer" && isWhole && isBetween(number, one.Minimum, one.Maximum)
	}
	return false
}

func isBetween(number int64, least, most *int64) bool {
	return (least == nil || number >= *least) && (most == nil || number <= *most)
}

func isText(one *schema, text string) bool {
	length := utf8.RuneCountInString(text)
	if (one.MinLength != nil && length < *one.MinLength) || (one.MaxLength != nil && length > *one.MaxLength) {
		return false
	}
	if one.pattern != nil && !one.pattern.MatchString(text) {
		return false
	}
	_, isTime := readTime(text)
	return one.Format != "date-time" || isTime
}

// readTime reads a time with its zone.
func readTime(text string) (time.Time, bool) {
	read, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
	return read, err == nil
}

func timeText(moment time.Time) string { return moment.UTC().Format("2006-01-02T15:04:05.000Z") }
