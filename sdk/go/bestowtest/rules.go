package bestowtest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
)

type object = map[string]any

// schema is the part of JSON Schema that the service's bodies and parameters use.
type schema struct {
	Ref                  string            `json:"$ref"`
	Type                 string            `json:"type"`
	Const                any               `json:"const"`
	Enum                 []any             `json:"enum"`
	Format               string            `json:"format"`
	Pattern              string            `json:"pattern"`
	MinLength            *int              `json:"minLength"`
	MaxLength            *int              `json:"maxLength"`
	Minimum              *int64            `json:"minimum"`
	Maximum              *int64            `json:"maximum"`
	AnyOf                []*schema         `json:"anyOf"`
	Required             []string          `json:"required"`
	Properties           orderedProperties `json:"properties"`
	AdditionalProperties json.RawMessage   `json:"additionalProperties"`
	PropertyNames        *schema           `json:"propertyNames"`
	MaxProperties        *int              `json:"maxProperties"`
	Items                *schema           `json:"items"`
	MinItems             *int64            `json:"minItems"`
	MaxItems             *int64            `json:"maxItems"`
	Rule                 string            `json:"x-rule"`
	Discriminator        *struct {
		PropertyName string            `json:"propertyName"`
		Mapping      map[string]string `json:"mapping"`
	} `json:"discriminator"`
	// pairs is the schema of AdditionalProperties, if that is one.
	pairs   *schema
	pattern *regexp.Regexp
}

type operation struct {
	ID        string             `json:"id"`
	Method    string             `json:"method"`
	Path      string             `json:"path"`
	Query     map[string]*schema `json:"query"`
	Body      *schema            `json:"body"`
	NeedsBody bool               `json:"needs_body"`
	NeedsKey  *bool              `json:"needs_key"`
	pattern   *regexp.Regexp
}

type errorRule struct {
	Status     int    `json:"status"`
	Type       string `json:"type"`
	Message    string `json:"message"`
	RetryAfter int    `json:"retry_after"`
}

//go:embed rules.json
var rulesJSON []byte

// rules is what the fake takes from the service as data.
var rules = readRules()

var (
	parameter              = regexp.MustCompile(`\{\w+\}`)
	endpointPattern        = regexp.MustCompile(rules.Endpoint)
	privateEndpointPattern = regexp.MustCompile(rules.PrivateEndpoint)
)

type ruleBook struct {
	Steering   map[string]string    `json:"steering"`
	Categories []object             `json:"categories"`
	Errors     map[string]errorRule `json:"errors"`
	EventTypes []string             `json:"event_types"`
	// Endpoint and PrivateEndpoint are patterns of the addresses that an endpoint may have, and of those in private networks.
	Endpoint        string             `json:"endpoint"`
	PrivateEndpoint string             `json:"private_endpoint"`
	Operations      []*operation       `json:"operations"`
	Schemas         map[string]*schema `json:"schemas"`
}

func readRules() ruleBook {
	var book ruleBook
	if err := json.Unmarshal(rulesJSON, &book); err != nil {
		panic(err)
	}
	for _, one := range book.Operations {
		one.pattern = regexp.MustCompile("^" + parameter.ReplaceAllString(one.Path, "([^/]+)") + "$")
	}
	return book
}

// UnmarshalJSON compiles the pattern, and reads the schema of pairs.
func (one *schema) UnmarshalJSON(data []byte) error {
	type plain schema
	if err := json.Unmarshal(data, (*plain)(one)); err != nil {
		return err
	}
	if one.Pattern != "" {
		// RE2 writes a code point differently.
		one.pattern = regexp.MustCompile(strings.ReplaceAll(one.Pattern, `\u2028\u2029`, `\x{2028}\x{2029}`))
	}
	if len(one.AdditionalProperties) > 0 && one.AdditionalProperties[0] == '{' {
		one.pairs = &schema{}
		return json.Unmarshal(one.AdditionalProperties, one.pairs)
	}
	return nil
}

// orderedProperties keeps the order of the members, which is the order in which they are checked.
type orderedProperties struct {
	names   []string
	schemas map[string]*schema
}

// UnmarshalJSON reads the names in their order.
func (properties *orderedProperties) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &properties.schemas); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		properties.names = append(properties.names, name.(string))
		var skipped json.RawMessage
		if err := decoder.Decode(&skipped); err != nil {
			return err
		}
	}
	return nil
}
