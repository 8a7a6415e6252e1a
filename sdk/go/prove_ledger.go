package bestow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// LedgerEntry is an entry as the ledger seals it.
type LedgerEntry struct {
	EntryID        string    `json:"entry_id"`
	OrganizationID string    `json:"organization_id"`
	Environment    string    `json:"environment"`
	Kind           string    `json:"kind"`
	CreatedAt      time.Time `json:"created_at"`
	// Amount is in cents, and negative for a debit.
	Amount int64 `json:"amount"`
	// BalanceAfter is in cents.
	BalanceAfter int64  `json:"balance_after"`
	OrderID      string `json:"order_id,omitempty"`
	GiftID       string `json:"gift_id,omitempty"`
	Reference    string `json:"reference,omitempty"`
	Note         string `json:"note,omitempty"`
	// Legs are what the entry moves on other accounts than its kind's.
	Legs    []LedgerLeg `json:"legs,omitempty"`
	Type    string      `json:"type"`
	Version int64       `json:"version"`
}

// LedgerStatement is a month of the ledger that can be verified without the service.
type LedgerStatement struct {
	Version        int64  `json:"version"`
	OrganizationID string `json:"organization_id"`
	Environment    string `json:"environment"`
	// Month is such as 2026-11, in UTC.
	Month string `json:"month"`
	// IsFinal says that the month is over and all its entries are sealed.
	IsFinal  bool   `json:"is_final"`
	Currency string `json:"currency"`
	// OpeningBalance is in cents.
	OpeningBalance int64 `json:"opening_balance"`
	// FirstIndex is the leaf of the first entry.
	FirstIndex int64 `json:"first_index"`
	// Before are the roots of the complete subtrees before the first entry, largest first, in Base64.
	Before []string `json:"before"`
	// Entries are earliest first.
	Entries []LedgerEntry `json:"entries"`
	// ClosingBalance is in cents: the opening balance and all entries.
	ClosingBalance int64 `json:"closing_balance"`
	// Checkpoint is the signed text of the checkpoint right after the last entry.
	Checkpoint string `json:"checkpoint"`
	// Raw is the statement as the service sent it; [VerifyStatement] takes it. Keep it as it is.
	Raw []byte `json:"-"`
}

// UnmarshalJSON keeps the bytes in Raw.
func (statement *LedgerStatement) UnmarshalJSON(raw []byte) error {
	type fields LedgerStatement
	var read fields
	err := json.Unmarshal(raw, &read)
	*statement = LedgerStatement(read)
	statement.Raw = bytes.Clone(raw)
	return err
}

var month = regexp.MustCompile(`^\d{4}-\d{2}$`)

// ProveEntry proves that an entry is in the ledger; see [VerifyInclusion].
func (service LedgerService) ProveEntry(
	ctx context.Context, entryID string, options ...CallOption,
) (*LedgerProof, error) {
	if entryID == "" {
		return nil, errors.New("bestow: the id of the entry is missing")
	}
	return service.prove(ctx, url.Values{"entry_id": {entryID}}, options)
}

// ProveEntryIn proves that an entry is among the first size entries of the ledger, such as those of a kept checkpoint.
func (service LedgerService) ProveEntryIn(
	ctx context.Context, entryID string, size int64, options ...CallOption,
) (*LedgerProof, error) {
	if entryID == "" {
		return nil, errors.New("bestow: the id of the entry is missing")
	}
	values := url.Values{"entry_id": {entryID}, "size": {strconv.FormatInt(size, 10)}}
	return service.prove(ctx, values, options)
}

// ProveConsistency proves that the ledger continues the one of an earlier checkpoint; see [VerifyConsistency].
func (service LedgerService) ProveConsistency(
	ctx context.Context, fromSize int64, options ...CallOption,
) (*LedgerProof, error) {
	return service.prove(ctx, url.Values{"from_size": {strconv.FormatInt(fromSize, 10)}}, options)
}

// ProveConsistencyBetween proves that the first size entries of the ledger continue the first fromSize of them, such as
// those of two kept checkpoints.
func (service LedgerService) ProveConsistencyBetween(
	ctx context.Context, fromSize, size int64, options ...CallOption,
) (*LedgerProof, error) {
	values := url.Values{"from_size": {strconv.FormatInt(fromSize, 10)}, "size": {strconv.FormatInt(size, 10)}}
	return service.prove(ctx, values, options)
}

func (service LedgerService) prove(
	ctx context.Context, values url.Values, options []CallOption,
) (*LedgerProof, error) {
	target := request{operation: retrieveLedgerProof, path: withQuery(retrieveLedgerProof.path, values)}
	return call[LedgerProof](ctx, service.client, target, options)
}

// Statement returns all entries of a month, such as 2026-11, signed; see [VerifyStatement].
func (service LedgerService) Statement(
	ctx context.Context, forMonth string, options ...CallOption,
) (*LedgerStatement, error) {
	if !month.MatchString(forMonth) {
		return nil, errors.New("bestow: the month must be such as 2026-11")
	}
	return callPath[LedgerStatement](ctx, service.client, retrieveLedgerStatement, []string{forMonth}, nil, options)
}
