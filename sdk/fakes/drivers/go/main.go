// The driver of the Go fake for the table of cases: it reads a case in each line of JSON, plays it, and writes what each
// call answered.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"bestow.example/bestow/bestowtest"
)

const balance = 1_000_000

type step struct {
	Call      string            `json:"call"`
	Key       *string           `json:"key"`
	Body      json.RawMessage   `json:"body"`
	Save      map[string]string `json:"save"`
	AdvanceMS int64             `json:"advance_ms"`
	Fund      int64             `json:"fund"`
}

type played struct {
	ID    string `json:"id"`
	Start int64  `json:"start"`
	Told  []told `json:"told"`
}

type told struct {
	Call     string `json:"call"`
	Status   int    `json:"status,omitempty"`
	IsReplay bool   `json:"isReplay"`
	Body     any    `json:"body"`
}

// program stands for the test of a program.
type program struct{ testing.TB }

func (program) Helper() {}
func (program) Fatal(arguments ...any) {
	fmt.Fprintln(os.Stderr, arguments...)
	os.Exit(1)
}
func (program) Errorf(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", arguments...)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var given struct {
			ID    string `json:"id"`
			Steps []step `json:"steps"`
		}
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			program{}.Fatal(err)
		}
		line, err := json.Marshal(play(given.ID, given.Steps))
		if err != nil {
			program{}.Fatal(err)
		}
		fmt.Println(string(line))
	}
}

var (
	moment = regexp.MustCompile(`\{time([+-]\d+)\}`)
	name   = regexp.MustCompile(`\{(\w+)\}`)
)

func play(id string, steps []step) played {
	fake := bestowtest.NewFakeBestow(program{}, bestowtest.Options{
		Balance: balance, OrganizationName: "Test Organization",
	})
	first, _ := callOnce(fake, "GET /v1/events?limit=1000", nil, nil).Body.(map[string]any)
	start, _ := first["next_after"].(json.Number).Int64()
	saved := map[string]any{"start": start}
	began := time.Now()
	fill := func(text string) string {
		text = moment.ReplaceAllStringFunc(text, func(found string) string {
			seconds, _ := strconv.Atoi(moment.FindStringSubmatch(found)[1])
			return began.Add(time.Duration(seconds) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z")
		})
		return name.ReplaceAllStringFunc(text, func(found string) string {
			return fmt.Sprint(saved[strings.Trim(found, "{}")])
		})
	}
	answers := []told{}
	for _, one := range steps {
		if one.Fund > 0 {
			fake.AddFunds(one.Fund)
		}
		fake.Advance(time.Duration(one.AdvanceMS) * time.Millisecond)
		if one.Call == "" {
			continue
		}
		answered := callOnce(fake, fill(one.Call), []byte(fill(string(one.Body))), one.Key)
		for part, path := range one.Save {
			saved[part] = partOf(answered.Body, path)
		}
		answered.Call = one.Call
		answers = append(answers, answered)
	}
	return played{id, start, answers}
}

func partOf(body any, path string) any {
	for _, part := range strings.Split(path, ".") {
		if index, err := strconv.Atoi(part); err == nil {
			body = body.([]any)[index]
		} else if members, isObject := body.(map[string]any); isObject {
			body = members[part]
		}
	}
	return body
}

func callOnce(fake *bestowtest.FakeBestow, call string, body []byte, key *string) told {
	method, path, _ := strings.Cut(call, " ")
	request, err := http.NewRequest(method, "https://bestow.test"+path, bytes.NewReader(body))
	if err != nil {
		program{}.Fatal(err)
	}
	if key != nil {
		request.Header.Set("Idempotency-Key", *key)
	}
	response, err := (&http.Client{Transport: fake}).Do(request)
	if err != nil {
		return told{Body: "ConnectionError"}
	}
	defer response.Body.Close()
	var answered map[string]any
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&answered); err != nil {
		program{}.Fatal(err)
	}
	isReplay := response.Header.Get("Idempotent-Replayed") == "true"
	if refused, isError := answered["error"].(map[string]any); isError {
		return told{Status: response.StatusCode, Body: refused}
	}
	return told{Status: response.StatusCode, IsReplay: isReplay, Body: answered}
}
