package bestow

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// An operation of the interface, as openapi.json describes it.
type operation struct {
	method, path string
	// isOurs tells an answer of the service from one of a gateway, which may be JSON, too.
	isOurs func(members map[string]json.RawMessage) bool
	// takesKey: all attempts carry one Idempotency-Key.
	takesKey bool
	// takesExpand: the answer has gifts or orders.
	takesExpand bool
	// isSentOnce: a repeat could do more than the first request, or fail because the first one was carried out. So the
	// call is not retried without an answer.
	isSentOnce bool
	// attemptTimeout replaces the option if it is above 0.
	attemptTimeout time.Duration
}

func (op operation) isRead() bool { return op.method == http.MethodGet }

func textMark(member string) func(map[string]json.RawMessage) bool {
	return func(members map[string]json.RawMessage) bool {
		_, isText := textOf(members[member])
		return isText
	}
}

func wordMark(member, word string) func(map[string]json.RawMessage) bool {
	return func(members map[string]json.RawMessage) bool {
		text, _ := textOf(members[member])
		return text == word
	}
}

func objectMark(word string) func(map[string]json.RawMessage) bool { return wordMark("object", word) }

func memberMark(member string) func(map[string]json.RawMessage) bool {
	return func(members map[string]json.RawMessage) bool { return members[member] != nil }
}

// laterOperation is one that this version does not know.
func laterOperation(method, path string, hasKey bool) operation {
	isAnyObject := func(members map[string]json.RawMessage) bool { return members != nil }
	op := operation{method: method, path: path, isOurs: isAnyObject, takesKey: hasKey}
	op.isSentOnce = !hasKey && method != http.MethodGet
	for _, beginning := range []string{"/v1/orders", "/v1/gifts", "/v1/sandbox/gifts"} {
		op.takesExpand = op.takesExpand || strings.HasPrefix(path, beginning)
	}
	return op
}
