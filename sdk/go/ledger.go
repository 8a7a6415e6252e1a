package bestow

import "context"

// LedgerService returns proofs that no entry of the ledger was changed or removed. They are verified without the service.
type LedgerService struct{ client *Client }

// LedgerCheckpoint is the signed root of the ledger's Merkle tree (RFC 6962).
type LedgerCheckpoint struct {
	// Origin names the tree. A sandbox has another one after each reset.
	Origin string `json:"origin"`
	// Size is the number of sealed entries.
	Size int64 `json:"size"`
	// Root is 32 bytes in Base64.
	Root string `json:"root"`
	// KeyID is that of the key that signed it.
	KeyID string `json:"key_id"`
	// Note is the signed text. Keep it; see [VerifyConsistency].
	Note string `json:"note"`
}

// LedgerProof is a proof after RFC 6962, with the signed checkpoint that it leads to.
type LedgerProof struct {
	// Type is inclusion or consistency.
	Type string `json:"type"`
	// EntryID of an inclusion.
	EntryID string `json:"entry_id,omitempty"`
	// Entry of an inclusion is the text that is hashed as the leaf.
	Entry string `json:"entry,omitempty"`
	// Index of an inclusion is the leaf, from 0.
	Index int64 `json:"index,omitempty"`
	// FromSize of a consistency is the earlier size.
	FromSize int64 `json:"from_size,omitempty"`
	// Size is the number of sealed entries.
	Size int64 `json:"size"`
	// Hashes are in Base64, from the leaves upwards.
	Hashes []string `json:"hashes"`
	// Checkpoint is the signed text of the checkpoint.
	Checkpoint string `json:"checkpoint"`
}

// LedgerLeg is what an entry moves on another account.
type LedgerLeg struct {
	Account string `json:"account"`
	// Amount is in cents.
	Amount int64 `json:"amount"`
}

// Checkpoint returns the signed size and root of the ledger. Keep its Note.
func (service LedgerService) Checkpoint(ctx context.Context, options ...CallOption) (*LedgerCheckpoint, error) {
	return callPlain[LedgerCheckpoint](ctx, service.client, retrieveLedgerCheckpoint, nil, options)
}
