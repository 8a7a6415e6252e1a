package bestow

import (
	"encoding/base64"
	"encoding/json"
)

// VerifyInclusion verifies that an entry is in the ledger (RFC 9162, 2.1.3.2), and returns the entry. The public keys are
// as in [OpenCheckpoint]. The error is a [*VerificationError].
func VerifyInclusion(proof *LedgerProof, publicKeys []string) (*LedgerEntry, error) {
	checkpoint, err := OpenCheckpoint(proof.Checkpoint, publicKeys)
	if err != nil {
		return nil, err
	}
	size := checkpoint.Size
	if proof.Type != "inclusion" || proof.Size != size || proof.Index < 0 || proof.Index >= size {
		return nil, unverified("this proves another tree")
	}
	path, err := hashesOf(proof.Hashes)
	if err != nil {
		return nil, err
	}
	place, last, found := proof.Index, size-1, leafOf([]byte(proof.Entry))
	for _, hash := range path {
		if last <= 0 {
			return nil, unverified("the proof is too long")
		}
		if place%2 == 1 || place == last {
			found = nodeOf(hash, found)
			for ; place > 0 && place%2 == 0; place /= 2 {
				last /= 2
			}
		} else {
			found = nodeOf(found, hash)
		}
		place, last = place/2, last/2
	}
	if last != 0 || encodeHash(found) != checkpoint.Root {
		return nil, unverified("the entry is not the one that was sealed")
	}
	var entry LedgerEntry
	if json.Unmarshal([]byte(proof.Entry), &entry) != nil || entry.EntryID != proof.EntryID {
		return nil, unverified("the proof is of another entry")
	}
	return &entry, nil
}

// VerifyConsistency verifies that the ledger continues the one of an earlier checkpoint (RFC 9162, 2.1.4.2): nothing before
// it was changed or removed. The earlier note is one that you kept; the proof is of its size. It returns the later
// checkpoint, whose note is the proof's Checkpoint: keep that. The error is a [*VerificationError].
func VerifyConsistency(earlier string, proof *LedgerProof, publicKeys []string) (*Checkpoint, error) {
	first, err := OpenCheckpoint(earlier, publicKeys)
	if err != nil {
		return nil, err
	}
	second, err := OpenCheckpoint(proof.Checkpoint, publicKeys)
	if err != nil {
		return nil, err
	}
	if first.Origin != second.Origin {
		return nil, unverified("the checkpoints are of different ledgers")
	}
	isOfBoth := proof.Type == "consistency" && proof.FromSize == first.Size && proof.Size == second.Size
	if !isOfBoth || first.Size > second.Size {
		return nil, unverified("this proves another tree")
	}
	path, err := hashesOf(proof.Hashes)
	if err != nil {
		return nil, err
	}
	if !continues(first, second, path) {
		return nil, unverified("the ledger does not continue the one of the earlier checkpoint: its history was changed")
	}
	return second, nil
}

func continues(first, second *Checkpoint, path []hash) bool {
	if first.Size == 0 || first.Size == second.Size {
		return len(path) == 0 && (first.Size == 0 || first.Root == second.Root)
	}
	if isPowerOfTwo := first.Size&(first.Size-1) == 0; isPowerOfTwo {
		root, err := hashOf(first.Root)
		if err != nil {
			return false
		}
		path = append([]hash{root}, path...)
	}
	if len(path) == 0 {
		return false
	}
	place, last := first.Size-1, second.Size-1
	for ; place%2 == 1; place /= 2 {
		last /= 2
	}
	old, now := path[0], path[0]
	for _, hash := range path[1:] {
		if last <= 0 {
			return false
		}
		if place%2 == 1 || place == last {
			old, now = nodeOf(hash, old), nodeOf(hash, now)
			for ; place > 0 && place%2 == 0; place /= 2 {
				last /= 2
			}
		} else {
			now = nodeOf(now, hash)
		}
		place, last = place/2, last/2
	}
	return last == 0 && encodeHash(old) == first.Root && encodeHash(now) == second.Root
}

func encodeHash(value hash) string { return base64.StdEncoding.EncodeToString(value[:]) }
