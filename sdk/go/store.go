package bestow

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// Store keeps orders until their outcome is known, so that a program that ends in the middle can continue with
// [OrderService.Resume]. It may be used by many goroutines at once. Use one store for each API key's environment: what a
// store keeps is sent with the key of the client that resumes.
type Store interface {
	// Keep returns after the key and body are durable. If it fails, the order is not sent.
	Keep(ctx context.Context, idempotencyKey string, body []byte) error
	// Forget removes an order whose outcome is known. An unknown key is no error.
	Forget(ctx context.Context, idempotencyKey string) error
	// Kept returns all orders that are kept, also if it has an error about others.
	Kept(ctx context.Context) ([]KeptOrder, error)
}

// KeptOrder is an order whose outcome is not known yet.
type KeptOrder struct {
	IdempotencyKey string
	// Body is JSON.
	Body []byte
}

// FolderStore returns a [Store] that keeps one file for each order in a folder, which it makes if it is not there. Several
// processes may use the folder at once. The clients for TypeScript and Python write the same files.
func FolderStore(path string) Store { return folderStore{path} }

type folderStore struct{ path string }

type keptFile struct {
	IdempotencyKey string `json:"idempotency_key"`
	// Body is JSON, as a text.
	Body string `json:"body"`
}

const keptSuffix = ".json"

// fileOf hashes the key, which may hold slashes.
func (store folderStore) fileOf(idempotencyKey string) string {
	return filepath.Join(store.path, fmt.Sprintf("%x%s", sha256.Sum256([]byte(idempotencyKey)), keptSuffix))
}

func (store folderStore) Keep(_ context.Context, idempotencyKey string, body []byte) error {
	if err := makeFolder(store.path); err != nil {
		return err
	}
	file := store.fileOf(idempotencyKey)
	earlier, err := store.read(file)
	if err == nil && !isSameJSON(earlier.Body, body) {
		return errors.New("another order is kept with this key; resume that one first, as a new key is a new order")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	content, err := json.Marshal(keptFile{IdempotencyKey: idempotencyKey, Body: string(body)})
	if err != nil {
		return err
	}
	if err := writeDurably(store.path, file, content); err != nil {
		return err
	}
	return syncFolder(store.path)
}

func makeFolder(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return errors.Join(os.MkdirAll(path, 0o700), syncFolder(filepath.Dir(path)))
}

// writeDurably writes to a temporary name first, so that a file with the final name is whole.
func writeDurably(folder, file string, content []byte) error {
	temporary, err := os.CreateTemp(folder, "*.new") // Its mode is 0600.
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	err = errors.Join(err, temporary.Sync(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// syncFolder makes the names of new files durable. Windows cannot, and does not need it.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func (store folderStore) Forget(_ context.Context, idempotencyKey string) error {
	err := os.Remove(store.fileOf(idempotencyKey))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (store folderStore) Kept(context.Context) ([]KeptOrder, error) {
	entries, err := os.ReadDir(store.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var kept []KeptOrder
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), keptSuffix) {
			continue
		}
		order, readError := store.read(filepath.Join(store.path, entry.Name()))
		switch {
		case readError == nil:
			kept = append(kept, *order)
		case !errors.Is(readError, fs.ErrNotExist): // Another process may have forgotten it since.
			err = errors.Join(err, readError)
		}
	}
	return kept, err
}

// isSameJSON says whether two programs, also of two languages, mean the same.
func isSameJSON(one, other []byte) bool {
	var values [2]any
	return json.Unmarshal(one, &values[0]) == nil && json.Unmarshal(other, &values[1]) == nil &&
		reflect.DeepEqual(values[0], values[1])
}

func (store folderStore) read(path string) (*KeptOrder, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file keptFile
	err = json.Unmarshal(bytes.TrimPrefix(content, []byte("\ufeff")), &file)
	var order map[string]json.RawMessage
	isOrder := err == nil && json.Unmarshal([]byte(file.Body), &order) == nil && order != nil
	if !isOrder || path != store.fileOf(file.IdempotencyKey) {
		return nil, fmt.Errorf("bestow: %s holds no order of this name: repair the file, or remove it", path)
	}
	return &KeptOrder{IdempotencyKey: file.IdempotencyKey, Body: []byte(file.Body)}, nil
}
