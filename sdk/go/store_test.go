package bestow

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// keptKeys returns the keys that a folder keeps.
func keptKeys(t *testing.T, store Store) []string {
	t.Helper()
	kept, err := store.Kept(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, order := range kept {
		keys = append(keys, order.IdempotencyKey)
	}
	return keys
}

func TestAnOrderIsKeptUntilItsOutcomeIsKnown(t *testing.T) {
	for name, test := range map[string]struct {
		steps  []step
		isKept bool
	}{
		"placed":          {[]step{placed}, false},
		"refused":         {[]step{answerError(402, TypeInsufficientBalance, CodeInsufficientBalance)}, false},
		"unknown":         {[]step{cut}, true},
		"a firewall":      {[]step{answerWith(403, "<html>")}, true},
		"retryable":       {[]step{answerError(429, TypeRateLimit, CodeRateLimitExceeded)}, true},
		"cut and refused": {[]step{cut, answerError(402, TypeInsufficientBalance, CodeInsufficientBalance)}, true},
	} {
		store := FolderStore(filepath.Join(t.TempDir(), "orders"))
		seen := make(chan string, 2)
		steps := []step{func(answer http.ResponseWriter, request *http.Request) {
			seen <- strings.Join(keptKeys(t, store), " ")
			test.steps[0](answer, request)
		}}
		served := startScript(t, append(steps, test.steps[1:]...)...)
		client, _ := newTestClient(t, served.URL, Options{Store: store}, WithMaxRetries(len(test.steps)-1))
		_, err := client.Orders.Create(context.Background(), testOrder, WithIdempotencyKey("k/../1"))
		equal(t, name+": kept before the first attempt", <-seen, "k/../1")
		if isKept := len(keptKeys(t, store)) == 1; isKept != test.isKept {
			t.Errorf("%s: kept %v after %v", name, isKept, err)
		}
	}
}

func TestABrokenFileIsNamedAndTheOtherOrdersAreResumed(t *testing.T) {
	for _, content := range []string{"", "{", "[]", `{"idempotency_key":"b"}`, `{"idempotency_key":"b","body":7}`, `{"idempotency_key":"a","body":"{}"}`} {
		folder := t.TempDir()
		store := FolderStore(folder)
		for _, key := range []string{"a", "b", "c"} {
			if err := store.Keep(ctx, key, []byte(`{}`)); err != nil {
				t.Fatal(err)
			}
		}
		broken := store.(folderStore).fileOf("b")
		if err := os.WriteFile(broken, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		served := startScript(t, placed)
		client, _ := newTestClient(t, served.URL, Options{Store: store})
		var placedKeys, errorTexts []string
		for resumed, err := range client.Orders.Resume(ctx) {
			if err != nil {
				errorTexts = append(errorTexts, err.Error())
				continue
			}
			placedKeys = append(placedKeys, resumed.IdempotencyKey)
		}
		slices.Sort(placedKeys)
		equal(t, "resumed", strings.Join(placedKeys, " "), "a c")
		equal(t, "errors", strings.Join(errorTexts, "\n"), "bestow: "+broken+" holds no order of this name: repair the file, or remove it")
	}
}

func TestAnOrderThatAnotherClientKeptIsTheSameOrder(t *testing.T) {
	store := FolderStore(t.TempDir())
	for _, body := range []string{`{"gifts": [{"amount": 2500}], "external_id": "a"}`, `{"external_id":"a","gifts":[{"amount":2500}]}`} {
		if err := store.Keep(ctx, "k", []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	err := store.Keep(ctx, "k", []byte(`{"external_id":"b","gifts":[{"amount":2500}]}`))
	if err == nil || !strings.Contains(err.Error(), "a new key is a new order") {
		t.Error(err)
	}
}

type brokenStore struct{ Store }

func (brokenStore) Keep(context.Context, string, []byte) error { return os.ErrPermission }

func TestAnOrderThatCannotBeKeptIsNotSent(t *testing.T) {
	served := startScript(t, placed)
	client, _ := newTestClient(t, served.URL, Options{Store: brokenStore{}})
	if _, err := client.Orders.Create(context.Background(), testOrder); !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
	folder := FolderStore(t.TempDir())
	if err := folder.Keep(context.Background(), "k", []byte(`{"gifts":[]}`)); err != nil {
		t.Fatal(err)
	}
	client, _ = newTestClient(t, served.URL, Options{Store: folder})
	if _, err := client.Orders.Create(context.Background(), testOrder, WithIdempotencyKey("k")); err == nil || !strings.Contains(err.Error(), "another order") {
		t.Error(err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, _ = client.Orders.Create(canceled, testOrder)
	equal(t, "kept", strings.Join(keptKeys(t, folder), " "), "k")
	equal(t, "requests", len(served.all()), 0)
}

func TestResumeSendsEachKeptOrderWithItsKeyAndBodyAndTellsTheResult(t *testing.T) {
	folder := t.TempDir()
	store := FolderStore(folder)
	for _, key := range []string{"a", "b", "c", "d"} {
		if err := store.Keep(context.Background(), key, []byte(toJSON(t, testOrder))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "x"+keptSuffix), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	served := startScript(t, func(answer http.ResponseWriter, request *http.Request) {
		by := map[string]step{"a": placed, "b": answerError(402, TypeInsufficientBalance, CodeInsufficientBalance), "c": cut, "d": answerError(401, TypeAuthentication, "api_key_revoked")}
		by[request.Header.Get("Idempotency-Key")](answer, request)
	})
	client, _ := newTestClient(t, served.URL, Options{Store: store}, WithMaxRetries(0))
	results := map[string]string{}
	for resumed, err := range client.Orders.Resume(context.Background()) {
		var failure *Error
		switch {
		case err == nil:
			results[resumed.IdempotencyKey] = resumed.Order.OrderID
		case errors.As(err, &failure):
			results[resumed.IdempotencyKey] = string(failure.Kind)
		default:
			results[resumed.IdempotencyKey] = "the store"
		}
	}
	equal(t, "results", fmt.Sprint(results), "map[:the store a:ord_1 b:api c:connection d:api]")
	for _, request := range served.all() {
		equal(t, "body", request.Body, toJSON(t, testOrder))
	}
	if err := os.Remove(filepath.Join(folder, "x"+keptSuffix)); err != nil {
		t.Fatal(err)
	}
	equal(t, "kept", strings.Join(keptKeys(t, store), " "), "d c")
	for _, err := range newClient(&connection{}, callOptions{}).Orders.Resume(context.Background()) {
		equal(t, "without a store", err.Error(), "bestow: the client has no Store")
	}
}

func TestTheFilesOfAStoreArePrivateAndHoldNoAPIKey(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	served := startScript(t, cut)
	client, _ := newTestClient(t, served.URL, Options{Store: FolderStore(folder)}, WithMaxRetries(0))
	_, _ = client.Orders.Create(context.Background(), testOrder)
	files, _ := os.ReadDir(folder)
	equal(t, "files", len(files), 1)
	info, _ := files[0].Info()
	equal(t, "mode", info.Mode().Perm(), 0o600)
	if text, _ := os.ReadFile(filepath.Join(folder, files[0].Name())); strings.Contains(string(text), testKey) {
		t.Errorf("%s", text)
	}
}

func TestManyGoroutinesShareAFolder(t *testing.T) {
	store := FolderStore(filepath.Join(t.TempDir(), "shared"))
	var group sync.WaitGroup
	for number := range 40 {
		group.Add(1)
		go func() {
			defer group.Done()
			key := fmt.Sprint("k", number%10)
			if err := store.Keep(context.Background(), key, []byte(`{}`)); err != nil {
				t.Error(err)
			}
			if _, err := store.Kept(context.Background()); err != nil {
				t.Error(err)
			}
			if err := store.Forget(context.Background(), key); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	equal(t, "kept", len(keptKeys(t, store)), 0)
}

// TestMain is also the child process of the next test: it orders from a service that does not answer.
func TestMain(m *testing.M) {
	if address := os.Getenv("BESTOW_TEST_CHILD"); address != "" {
		client, err := New(Options{Key: testKey, BaseURL: address, Store: FolderStore(os.Getenv("BESTOW_TEST_FOLDER"))})
		if err == nil {
			_, err = client.Orders.Create(context.Background(), testOrder, WithIdempotencyKey("of the child"))
		}
		panic(err)
	}
	os.Exit(m.Run())
}

func TestAnOrderSurvivesAKillOfTheProcess(t *testing.T) {
	arrived := make(chan struct{}, 1)
	served := startScript(t, func(answer http.ResponseWriter, request *http.Request) {
		arrived <- struct{}{}
		hang(answer, request)
	}, placed)
	folder := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "BESTOW_TEST_CHILD="+served.URL, "BESTOW_TEST_FOLDER="+folder)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	<-arrived
	_ = child.Process.Kill()
	_ = child.Wait()
	client, _ := newTestClient(t, served.URL, Options{Store: FolderStore(folder)})
	count := 0
	for resumed, err := range client.Orders.Resume(context.Background()) {
		count++
		if err != nil || resumed.Order.OrderID != "ord_1" {
			t.Error(resumed, err)
		}
	}
	equal(t, "resumed", count, 1)
	requests := served.all()
	equal(t, "requests", len(requests), 2)
	equal(t, "body", requests[1].Body, requests[0].Body)
	equal(t, "key", requests[1].Header.Get("Idempotency-Key"), "of the child")
	equal(t, "kept", len(keptKeys(t, FolderStore(folder))), 0)
}

// The same file is in the tests of the clients for TypeScript and Python.
func TestTheFilesAreThoseOfTheOtherClients(t *testing.T) {
	folder := t.TempDir()
	store := FolderStore(folder)
	file := filepath.Join(folder, "8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a.json")
	if err := os.WriteFile(file, []byte(`{"idempotency_key": "k", "body": "{\"gifts\": [], \"external_id\": \"\u00e9\"}"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := store.Kept(ctx)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "body", string(kept[0].Body), `{"gifts": [], "external_id": "é"}`)
	if err := store.Forget(ctx, kept[0].IdempotencyKey); err != nil {
		t.Fatal(err)
	}
	if err := store.Keep(ctx, "k", []byte(`{"gifts":[]}`)); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	equal(t, "file", string(content), `{"idempotency_key":"k","body":"{\"gifts\":[]}"}`)
	equal(t, "error", err, nil)
}
