package bestow

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

// fixtures are answers of a service that ran: all proofs of a ledger of eleven entries, and checkpoints at the sizes 1, 2,
// 5 and 11. The statement is another organization's.
type fixtures struct {
	PublicKeys    []string      `json:"public_keys"`
	StatementKeys []string      `json:"statement_keys"`
	Earlier       []string      `json:"earlier"`
	Consistencies []LedgerProof `json:"consistencies"`
	Inclusions    []LedgerProof `json:"inclusions"`
	statement     []byte
}

func readFixtures(t *testing.T) fixtures {
	t.Helper()
	var read fixtures
	text, err := os.ReadFile("testdata/ledger.json")
	if err != nil || json.Unmarshal(text, &read) != nil {
		t.Fatal(err)
	}
	if read.statement, err = os.ReadFile("testdata/statement.txt"); err != nil {
		t.Fatal(err)
	}
	return read
}

// changed returns copies of JSON text in each of which one digit or letter of Base64 or text is another one.
func changed(t *testing.T, text []byte) [][]byte {
	t.Helper()
	var copies [][]byte
	for index, character := range text {
		replacement := map[byte]byte{'0': '1', '1': '2', '7': '8', 'a': 'b', 'e': 'f', 'A': 'B', 'f': 't'}[character]
		if replacement == 0 {
			continue
		}
		one := bytes.Clone(text)
		one[index] = replacement
		copies = append(copies, one)
	}
	return copies
}

func refuse(t *testing.T, what string, err error) {
	t.Helper()
	var failure *VerificationError
	if !errors.As(err, &failure) {
		t.Errorf("%s: %v", what, err)
	}
}

func TestEachEntryAndEachEarlierCheckpointIsProved(t *testing.T) {
	read := readFixtures(t)
	for _, proof := range read.Inclusions {
		entry, err := VerifyInclusion(&proof, read.PublicKeys)
		if err != nil || entry.EntryID != proof.EntryID || entry.Amount == 0 {
			t.Error(proof.Index, err)
		}
	}
	for index, proof := range read.Consistencies {
		checkpoint, err := VerifyConsistency(read.Earlier[index], &proof, append([]string{"no key"}, read.PublicKeys...))
		if err != nil || checkpoint.Size != 11 {
			t.Error(proof.FromSize, err)
		}
	}
	equal(t, "proofs", len(read.Inclusions)+len(read.Consistencies), 15)
}

func TestAChangedProofIsRefused(t *testing.T) {
	read := readFixtures(t)
	for _, original := range read.Inclusions[:3] {
		for _, text := range changed(t, []byte(toJSON(t, original))) {
			var proof LedgerProof
			// What only changes the name of a member leaves it out.
			if json.Unmarshal(text, &proof) == nil {
				_, err := VerifyInclusion(&proof, read.PublicKeys)
				refuse(t, string(text), err)
			}
		}
	}
	for index, original := range read.Consistencies[:3] {
		for _, text := range changed(t, []byte(toJSON(t, original))) {
			var proof LedgerProof
			if json.Unmarshal(text, &proof) == nil {
				_, err := VerifyConsistency(read.Earlier[index], &proof, read.PublicKeys)
				refuse(t, string(text), err)
			}
		}
	}
	_, err := VerifyConsistency(read.Earlier[1], &read.Consistencies[0], read.PublicKeys)
	refuse(t, "a proof of another size", err)
	_, err = VerifyInclusion(&read.Inclusions[0], read.StatementKeys)
	refuse(t, "another key", err)
}

func TestAStatementIsVerifiedFromItsBytesAlsoIndented(t *testing.T) {
	read := readFixtures(t)
	var indented bytes.Buffer
	if err := json.Indent(&indented, read.statement, "", "  "); err != nil {
		t.Fatal(err)
	}
	for _, raw := range [][]byte{read.statement, indented.Bytes()} {
		statement, checkpoint, err := VerifyStatement(raw, read.StatementKeys)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "first index", statement.FirstIndex, 7)
		equal(t, "entries", len(statement.Entries), 4)
		equal(t, "size", checkpoint.Size, 11)
		equal(t, "month", statement.Month, "2026-12")
	}
}

func TestAChangedStatementIsRefused(t *testing.T) {
	read := readFixtures(t)
	for _, text := range changed(t, read.statement) {
		if statement, _, err := VerifyStatement(text, read.StatementKeys); err == nil {
			// These members are not signed.
			before, after, _ := strings.Cut(string(text), `"version":`)
			if strings.Contains(before, `"object":"ledger_statement"`) && strings.HasPrefix(after, "1,") {
				t.Errorf("accepted: %v", statement)
			}
		}
	}
	for _, raw := range []string{"", "{}", "[]", "null", `{"checkpoint":"\n\n"}`, `{"checkpoint":"a\n-1\nb\n\nc"}`} {
		_, _, err := VerifyStatement([]byte(raw), read.StatementKeys)
		refuse(t, raw, err)
	}
}

func TestAStatementKeepsTheBytesThatTheServiceSent(t *testing.T) {
	read := readFixtures(t)
	served := startScript(t, answerWith(200, string(read.statement)))
	client, _ := newTestClient(t, served.URL, Options{})
	statement, err := client.Ledger.Statement(ctx, "2026-12")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := VerifyStatement(statement.Raw, read.StatementKeys); err != nil {
		t.Error(err)
	}
}
