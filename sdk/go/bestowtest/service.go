package bestowtest

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Request is a request as the fake got it.
type Request struct {
	Method string
	// Path has its query.
	Path string
	// Body is empty if there was none.
	Body           []byte
	IdempotencyKey string
	hasKey         bool
}

type answer struct {
	status int
	header map[string]string
	body   any
	isLost bool
	isSlow bool
	// missing is what the fake does not have.
	missing string
}

// service is the service in memory.
type service struct {
	mutex    sync.Mutex
	memory   *memory
	requests []Request
	// failures are codes that refuse the next calls; response_lost does a call and loses its answer.
	failures   []string
	senderName string
}

var (
	keyPattern = regexp.MustCompile(`^[ -~]{1,255}$`)
	digits     = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	// metadataPair is a filter by a pair of metadata.
	metadataPair = regexp.MustCompile(`^\w+\[[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}\]$`)
	// parts are what expand can add.
	parts = []string{"history", "resource"}
)

func newService(senderName string) *service {
	return &service{memory: newMemory(), senderName: senderName}
}

// waits says whether the request asks for events that are not there yet.
func (served *service) waits(asked Request) bool {
	served.mutex.Lock()
	defer served.mutex.Unlock()
	served.memory.catchUp()
	read, refused := served.read(asked)
	if refused != nil || len(served.failures) > 0 || read.operation.ID != "listEvents" {
		return false
	}
	found, refused := served.memory.eventsOf(read)
	return refused == nil && len(found) == 0
}

func (served *service) answer(asked Request) answer {
	served.mutex.Lock()
	defer served.mutex.Unlock()
	served.requests = append(served.requests, asked)
	failure := ""
	if len(served.failures) > 0 {
		failure, served.failures = served.failures[0], served.failures[1:]
	}
	answered := served.answerOnce(asked, failure)
	served.memory.push()
	answered.isLost = answered.isLost || failure == responseLost
	return answered
}

func (served *service) answerOnce(asked Request, failure string) answer {
	if failure != "" && failure != responseLost {
		return served.refused(refuse(failure))
	}
	served.memory.catchUp()
	read, refused := served.read(asked)
	if refused != nil {
		return served.refused(refused)
	}
	act, isKnown := acts[read.operation.ID]
	if !isKnown {
		return answerOfMissing("the operation " + read.operation.ID)
	}
	for _, part := range strings.Split(read.query["expand"], ",") {
		if part != "" && !slices.Contains(parts, part) {
			return answerOfMissing("the part " + strconv.Quote(part))
		}
	}
	done, refused := act(served.memory, read)
	if refused != nil {
		return served.refused(refused)
	}
	answered := answer{status: max(done.status, 200), body: done.body, isLost: done.isLost, isSlow: done.isSlow}
	if done.isReplay {
		answered.header = map[string]string{"Idempotent-Replayed": "true"}
	}
	return answered
}

// answerOfMissing ends the call without a retry.
func answerOfMissing(what string) answer {
	message := "FakeBestow does not have " + what + "."
	body := object{"type": "invalid_request_error", "code": "not_in_the_fake", "message": message, "request_id": "req_0"}
	return answer{status: 422, body: object{"error": body}, missing: what}
}

func (served *service) refused(refused *refusal) answer {
	rule := rules.Errors[refused.code]
	shown := object{
		"type": rule.Type, "code": refused.code, "message": rule.Message, "request_id": served.memory.nextID("req"),
		"doc_url": fakeAddress + "/docs/errors#" + refused.code,
	}
	for name, text := range refused.details {
		shown[name] = text
	}
	answered := answer{status: rule.Status, body: object{"error": shown}}
	if rule.RetryAfter > 0 {
		answered.header = map[string]string{"Retry-After": strconv.Itoa(rule.RetryAfter)}
	}
	return answered
}

// read finds the operation and checks what it is called with.
func (served *service) read(asked Request) (call, *refusal) {
	target, err := url.Parse(asked.Path)
	if err != nil {
		return call{}, refuse("resource_missing")
	}
	for _, one := range rules.Operations {
		match := one.pattern.FindStringSubmatch(target.Path)
		if match == nil || one.Method != asked.Method {
			continue
		}
		query, refused := readQuery(one, target.Query())
		if refused != nil {
			return call{}, refused
		}
		isKeyWrong := asked.hasKey && !keyPattern.MatchString(asked.IdempotencyKey)
		if one.NeedsKey != nil && (isKeyWrong || (*one.NeedsKey && !asked.hasKey)) {
			return call{}, invalid("Idempotency-Key", "must be 1 to 255 printable ASCII characters")
		}
		body, refused := bodyOf(one, asked.Body)
		if refused != nil {
			return call{}, refused
		}
		// The members are in alphabetical order.
		canonical, _ := json.Marshal(body)
		read := call{
			operation: one, query: query, body: body, key: asked.IdempotencyKey, hasKey: asked.hasKey && one.NeedsKey != nil,
			request: asked.Method + " " + target.Path + " " + string(canonical), senderName: served.senderName,
		}
		if len(match) > 1 {
			read.id = match[1]
		}
		return read, nil
	}
	return call{}, refuse("resource_missing")
}

func bodyOf(one *operation, text []byte) (object, *refusal) {
	if one.Body == nil || (len(text) == 0 && !one.NeedsBody) {
		return object{}, nil
	}
	var body any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		return nil, refuse("request_body_invalid")
	}
	body = withoutNulls(one.Body, body)
	if refused := check(one.Body, body, ""); refused != nil {
		return nil, refused
	}
	members, _ := body.(object)
	return members, nil
}

func readQuery(one *operation, given url.Values) (map[string]string, *refusal) {
	query := map[string]string{}
	for name, values := range given {
		query[name] = values[len(values)-1]
		if refused := checkParameter(one, name, query[name]); refused != nil {
			return nil, refused
		}
		if len(values) > 1 {
			return nil, invalid(name, "must be sent once")
		}
	}
	_, isForward := query["starting_after"]
	if _, isBackward := query["ending_before"]; isForward && isBackward {
		return nil, invalid("ending_before", "cannot be sent with starting_after")
	}
	return query, nil
}

func checkParameter(one *operation, name, text string) *refusal {
	root, _, hasKey := strings.Cut(name, "[")
	known := one.Query[root]
	var value any = text
	switch {
	case known == nil || hasKey != (known.Type == "object"):
		return invalid(name, "is not known here")
	case hasKey && !metadataPair.MatchString(name):
		return invalid(name, "must be sent as metadata[key]=value")
	case hasKey:
		return nil
	case known.Type == "integer" && digits.MatchString(text):
		value = json.Number(text)
	}
	return check(known, value, name)
}
