import type { LedgerStatementBody } from '../../core/balances/schema.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { leafOf, MerkleTree, peaksOf } from '../seals/merkle-tree.ts';
import { isSignedBy, parseNote } from '../seals/note.ts';

interface VerifiedStatement {
  organization_id: string;
  environment: string;
  month: string;
  is_final: boolean;
  entries: number;
  opening_balance: number;
  closing_balance: number;
  /** SHA-256 in hexadecimal. */
  root: string;
}

/**
 * Verifies a statement by itself, without a database.
 *
 * @param text the JSON file
 * @param keys what the well-known path of the service returned, as it was kept
 * @throws OperatorError that says what does not hold
 */
export function verifyStatement(text: string, keys: string): VerifiedStatement {
  const statement = parse(text, 'statement') as Partial<LedgerStatementBody>;
  const { checkpoint, entries, before } = statement;
  if (typeof checkpoint !== 'string' || !Array.isArray(entries) || !Array.isArray(before))
    throw new OperatorError(
      'The file is not a statement: download it as JSON from the portal or GET /v1/balance/statements.',
    );
  const note = parseNote(checkpoint);
  if (note === undefined || !isSignedBy(note, readKeys(keys)))
    throw new OperatorError('None of these keys signed the statement, or its checkpoint was changed.');
  const { organization_id, environment, month, is_final, currency, first_index = -1 } = statement;
  const { opening_balance = 0, closing_balance = 0 } = statement;
  const state = is_final ? 'final' : 'open';
  const line = ['statement', 1, month, state, currency, first_index, opening_balance, closing_balance].join(' ');
  if (!`${note.origin}/`.startsWith(`bestow/ledger/${organization_id}/${environment}/`) || note.more[0] !== line)
    throw new OperatorError('The head of the statement was changed: it is not what was signed.');
  if (entries.reduce((cents, { amount }) => cents + amount, opening_balance) !== closing_balance)
    throw new OperatorError('The entries do not add up to the closing balance.');
  const peaks = before.map((hash) => Buffer.from(String(hash), 'base64'));
  if (peaks.length !== peaksOf([0, first_index]).length)
    throw new OperatorError('The hashes before the first entry were changed.');
  const tree = new MerkleTree(first_index, peaks);
  for (const entry of entries) tree.append(leafOf(JSON.stringify(entry)));
  if (tree.size !== note.size || !tree.root().equals(note.root))
    throw new OperatorError('The entries are not those that were sealed: at least one was changed, added or removed.');
  return {
    organization_id: String(organization_id),
    environment: String(environment),
    month: String(month),
    is_final: is_final === true,
    entries: entries.length,
    opening_balance,
    closing_balance,
    root: note.root.toString('hex'),
  };
}

function readKeys(text: string): Buffer[] {
  const { keys } = parse(text, 'keys') as { keys?: { public_key?: unknown }[] };
  const found = Array.isArray(keys) ? keys.map(({ public_key }) => Buffer.from(String(public_key), 'base64')) : [];
  if (found.length === 0 || found.some(({ length }) => length !== 32))
    throw new OperatorError('The file of keys is not what /.well-known/bestow-ledger-keys returned; use it as it was.');
  return found;
}

function parse(text: string, what: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Said below.
  }
  throw new OperatorError(`The file of the ${what} is not JSON; use it as it was downloaded.`);
}
