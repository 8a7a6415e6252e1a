package bestow

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// VerificationError says why a webhook request or a part of the ledger is not what the service signed.
type VerificationError struct{ Message string }

// Error returns the message.
func (failure *VerificationError) Error() string { return "bestow: " + failure.Message }

func unverified(format string, values ...any) error {
	return &VerificationError{Message: fmt.Sprintf(format, values...)}
}

// Checkpoint is what a signed checkpoint says.
type Checkpoint struct {
	Origin string
	Size   int64
	// Root is in Base64.
	Root string
	// More are the further lines.
	More []string
}

type hash = [sha256.Size]byte

func leafOf(text []byte) hash { return sha256.Sum256(append([]byte{0}, text...)) }

func nodeOf(left, right hash) hash {
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

func hashOf(text string) (hash, error) {
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(decoded) != sha256.Size {
		return hash{}, unverified("a hash is not 32 bytes in Base64")
	}
	return hash(decoded), nil
}

func hashesOf(texts []string) ([]hash, error) {
	hashes := make([]hash, len(texts))
	for index, text := range texts {
		var err error
		if hashes[index], err = hashOf(text); err != nil {
			return nil, err
		}
	}
	return hashes, nil
}

// OpenCheckpoint verifies the signature of a checkpoint's note. The public keys are in Base64: those of
// /.well-known/bestow-ledger-keys that you have kept, and trust. The error is a [*VerificationError].
func OpenCheckpoint(note string, publicKeys []string) (*Checkpoint, error) {
	text, signatures, _ := strings.Cut(note, "\n\n")
	lines := strings.Split(text, "\n")
	if len(lines) < 3 {
		return nil, unverified("this is no checkpoint")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 {
		return nil, unverified("the checkpoint has no size")
	}
	for _, line := range strings.Split(signatures, "\n") {
		encoded, isOfOrigin := strings.CutPrefix(line, "\u2014 "+lines[0]+" ")
		signature, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if !isOfOrigin || err != nil || len(signature) != 4+ed25519.SignatureSize {
			continue
		}
		for _, encodedKey := range publicKeys {
			if isSignedBy(encodedKey, lines[0], text+"\n", signature) {
				return &Checkpoint{Origin: lines[0], Size: size, Root: lines[2], More: lines[3:]}, nil
			}
		}
	}
	return nil, unverified("none of these keys signed the checkpoint")
}

// isSignedBy checks a signature of C2SP's signed-note, which begins with the id of the key.
func isSignedBy(encodedKey, origin, text string, signature []byte) bool {
	key, err := base64.StdEncoding.Strict().DecodeString(encodedKey)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return false
	}
	id := sha256.Sum256(append([]byte(origin+"\n\x01"), key...))
	return bytes.Equal(id[:4], signature[:4]) && ed25519.Verify(key, []byte(text), signature[4:])
}

// VerifyStatement verifies a statement without the service, and returns it with its checkpoint. It takes the JSON as the
// service sent it: LedgerStatement.Raw, or a file. The error is a [*VerificationError].
func VerifyStatement(raw []byte, publicKeys []string) (*LedgerStatement, *Checkpoint, error) {
	var statement LedgerStatement
	var texts struct {
		Entries []json.RawMessage `json:"entries"`
	}
	if json.Unmarshal(raw, &statement) != nil || json.Unmarshal(raw, &texts) != nil {
		return nil, nil, unverified("this is no statement; pass the JSON as the service sent it")
	}
	checkpoint, err := OpenCheckpoint(statement.Checkpoint, publicKeys)
	if err != nil {
		return nil, nil, err
	}
	state := "open"
	if statement.IsFinal {
		state = "final"
	}
	signed := fmt.Sprintf("statement 1 %s %s %s %d %d %d", statement.Month, state, statement.Currency,
		statement.FirstIndex, statement.OpeningBalance, statement.ClosingBalance)
	owner := "bestow/ledger/" + statement.OrganizationID + "/" + statement.Environment + "/"
	isSigned := len(checkpoint.More) > 0 && checkpoint.More[0] == signed && statement.FirstIndex >= 0
	if !isSigned || !strings.HasPrefix(checkpoint.Origin+"/", owner) {
		return nil, nil, unverified("the statement was changed")
	}
	sum := statement.OpeningBalance
	for _, entry := range statement.Entries {
		sum += entry.Amount
	}
	if sum != statement.ClosingBalance {
		return nil, nil, unverified("the entries do not add up")
	}
	root, err := rootOf(statement.Before, statement.FirstIndex, texts.Entries)
	if err != nil {
		return nil, nil, err
	}
	isWhole := statement.FirstIndex+int64(len(texts.Entries)) == checkpoint.Size
	if base64.StdEncoding.EncodeToString(root[:]) != checkpoint.Root || !isWhole {
		return nil, nil, unverified("the entries are not those that were sealed")
	}
	return &statement, checkpoint, nil
}

// rootOf adds entries to a tree that is given by the roots of its complete subtrees.
func rootOf(before []string, firstIndex int64, entries []json.RawMessage) (hash, error) {
	peaks, err := hashesOf(before)
	if err != nil {
		return hash{}, err
	}
	for index, entry := range entries {
		var text bytes.Buffer
		// The file may have been indented; the order of the members is that of the sealed text.
		if err := json.Compact(&text, entry); err != nil {
			return hash{}, unverified("an entry is not JSON")
		}
		root := leafOf(text.Bytes())
		for number := firstIndex + int64(index); number%2 == 1; number /= 2 {
			if len(peaks) == 0 {
				return hash{}, unverified("the statement lacks hashes")
			}
			root, peaks = nodeOf(peaks[len(peaks)-1], root), peaks[:len(peaks)-1]
		}
		peaks = append(peaks, root)
	}
	if len(peaks) == 0 {
		return sha256.Sum256(nil), nil
	}
	root := peaks[len(peaks)-1]
	for index := len(peaks) - 2; index >= 0; index-- {
		root = nodeOf(peaks[index], root)
	}
	return root, nil
}
