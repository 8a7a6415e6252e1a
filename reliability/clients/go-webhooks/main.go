// Reads pushes as JSON and prints which of them the Standard Webhooks library verifies.
package main

import (
	"encoding/json"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type push struct {
	Secret  string
	Headers map[string]string
	Body    string
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	var pushes []push
	check(json.NewDecoder(os.Stdin).Decode(&pushes))
	verified := []bool{}
	for _, push := range pushes {
		webhook, err := standardwebhooks.NewWebhook(push.Secret)
		check(err)
		headers := http.Header{}
		for name, value := range push.Headers {
			headers.Set(name, value)
		}
		verified = append(verified, webhook.Verify([]byte(push.Body), headers) == nil)
	}
	check(json.NewEncoder(os.Stdout).Encode(verified))
}
