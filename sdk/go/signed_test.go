package bestow

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"testing"
)

// signer signs what a dishonest service could sign.
type signer struct {
	private ed25519.PrivateKey
	public  []string
}

func newSigner(t *testing.T) signer {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return signer{private, []string{base64.StdEncoding.EncodeToString(public)}}
}

func (signer signer) note(size int, root hash, more string) string {
	origin := "bestow/ledger/org_1/live"
	text := fmt.Sprintf("%s\n%d\n%s\n%s", origin, size, encodeHash(root), more)
	key := signer.private.Public().(ed25519.PublicKey)
	id := sha256.Sum256(append([]byte(origin+"\n\x01"), key...))
	signature := append(id[:4], ed25519.Sign(signer.private, []byte(text))...)
	return fmt.Sprintf("%s\n— %s %s\n", text, origin, base64.StdEncoding.EncodeToString(signature))
}

func TestARewrittenHistoryIsRefusedAlthoughItIsSigned(t *testing.T) {
	signer := newSigner(t)
	leaf := func(text string) hash { return leafOf([]byte(text)) }
	first := func(a string) hash { return nodeOf(leaf(a), leaf("b")) }
	proofOf := func(a string) *LedgerProof {
		return &LedgerProof{
			Type: "consistency", FromSize: 3, Size: 4,
			Hashes:     []string{encodeHash(leaf("c")), encodeHash(leaf("d")), encodeHash(first(a))},
			Checkpoint: signer.note(4, nodeOf(first(a), nodeOf(leaf("c"), leaf("d"))), ""),
		}
	}
	earlier := signer.note(3, nodeOf(first("a"), leaf("c")), "")
	if _, err := VerifyConsistency(earlier, proofOf("a"), signer.public); err != nil {
		t.Error(err)
	}
	_, err := VerifyConsistency(earlier, proofOf("changed"), signer.public)
	refuse(t, "a changed entry", err)
	short := proofOf("a")
	short.Hashes = short.Hashes[:2]
	_, err = VerifyConsistency(earlier, short, signer.public)
	refuse(t, "a short proof", err)
}

func TestASignedStatementThatDoesNotAddUpIsRefused(t *testing.T) {
	signer := newSigner(t)
	entry := `{"amount":500,"entry_id":"led_1"}`
	for _, test := range []struct {
		closing, size int
		isRefused     bool
	}{{500, 1, false}, {700, 1, true}, {500, 2, true}} {
		signed := fmt.Sprintf("statement 1 2026-11 open USD 0 0 %d\n", test.closing)
		statement := fmt.Sprintf(`{"organization_id":"org_1","environment":"live","month":"2026-11","currency":"USD","entries":[%s],"closing_balance":%d,"checkpoint":%q}`,
			entry, test.closing, signer.note(test.size, leafOf([]byte(entry)), signed))
		_, _, err := VerifyStatement([]byte(statement), signer.public)
		if test.isRefused {
			refuse(t, "a statement", err)
		} else if err != nil {
			t.Error(err)
		}
	}
}
