// Code generated from openapi.json by npm run generate. DO NOT EDIT.

package bestow

import "context"

// LedgerService returns proofs that no entry of the ledger was changed or removed. They are verified without the
// service.
type LedgerService struct{ client *Client }

// Checkpoint returns the size and root of the tree of all sealed entries, signed. Keep one: a later proof of
// consistency shows that nothing before it was rewritten.
func (service LedgerService) Checkpoint(ctx context.Context, options ...CallOption) (*LedgerCheckpoint, error) {
	return callPlain[LedgerCheckpoint](ctx, service.client, retrieveLedgerCheckpoint, nil, options)
}

// LedgerLeg is what an entry moves on another account.
type LedgerLeg struct {
	Account string `json:"account"`
	// Cents.
	Amount int64 `json:"amount"`
}

// LedgerCheckpoint is the signed root of the ledger's Merkle tree (RFC 6962).
type LedgerCheckpoint struct {
	// Names the tree. A sandbox has another one after each reset.
	Origin string `json:"origin"`
	// Sealed entries.
	Size int64 `json:"size"`
	// 32 bytes in Base64.
	Root string `json:"root"`
	// Of the key that signed it.
	KeyID string `json:"key_id"`
	// Origin, size and root, one a line, and the signature (C2SP tlog-checkpoint and signed-note). Keep it.
	Note string `json:"note"`
}

// LedgerProof is a proof after RFC 6962, with the signed checkpoint that it leads to.
type LedgerProof struct {
	// inclusion: an entry is in the tree. consistency: the tree continues an earlier one. Known values: inclusion,
	// consistency. More may come.
	Type string `json:"type"`
	// Of an inclusion: the entry.
	EntryID string `json:"entry_id,omitempty"`
	// Of an inclusion: the text that is hashed as the leaf.
	Entry string `json:"entry,omitempty"`
	// Of an inclusion: the leaf, from 0.
	Index int64 `json:"index,omitempty"`
	// Of a consistency: the earlier size.
	FromSize int64 `json:"from_size,omitempty"`
	// Sealed entries.
	Size int64 `json:"size"`
	// The proof, from the leaves upwards.
	Hashes []string `json:"hashes"`
	// Origin, size and root, one a line, and the signature (C2SP tlog-checkpoint and signed-note). Keep it.
	Checkpoint string `json:"checkpoint"`
}
