import type { LedgerStatement } from './bodies.ts';
import { brand } from './errors.ts';

/** What a signed checkpoint says. `root` is Base64; `more` are its further lines. */
export type Checkpoint = { origin: string; size: number; root: string; more: string[] };

/** The ledger, or what came from it, was changed; or another key signed it. */
export class LedgerVerificationError extends Error {}
brand(LedgerVerificationError, 'LedgerVerificationError');

export const insist = (holds: boolean, message: string): void => {
  if (!holds) throw new LedgerVerificationError(message);
};
const encode = (text: string) => new TextEncoder().encode(text);
// Compilers before TypeScript 5.7 do not know the type of their results.
/** @internal */
export const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
export const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const hash = async (...parts: Iterable<number>[]) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((part) => [...part]))));
/** @internal */
export const leafOf = (text: string) => hash([0], encode(text));
/** @internal */
export const nodeOf = (left: Uint8Array, right: Uint8Array) => hash([1], left, right);

const KEYS_NEEDED =
  'Pass the keys that you trust as a list of Base64 texts: each public_key of the list in /.well-known/bestow-ledger-keys.';

/** The keys as bytes. @throws LedgerVerificationError that says how they are passed */
function trusted(publicKeys: unknown): Uint8Array<ArrayBuffer>[] {
  insist(Array.isArray(publicKeys) && publicKeys.length > 0, KEYS_NEEDED);
  return (publicKeys as unknown[]).map((key) => {
    insist(typeof key === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(key), KEYS_NEEDED);
    return bytesOf(key as string);
  });
}

/** @throws LedgerVerificationError if it is a text, or another answer than the wanted one */
export function insistObject(answer: unknown, object: string): void {
  insist(typeof answer !== 'string', `This is text. Parse it first: it must be the ${object} as an object.`);
  insist(Object(answer).object === object, `This is no ${object}. Pass the whole answer of the service.`);
}

/** @param publicKeys in Base64, which you trust: those of `/.well-known/bestow-ledger-keys` that you have kept */
export async function openCheckpoint(note: string, publicKeys: readonly string[]): Promise<Checkpoint> {
  const keys = trusted(publicKeys);
  insist(typeof note === 'string', 'Pass the note of the checkpoint, which is text.');
  const [text = '', signatures = ''] = note.split('\n\n', 2);
  const [origin = '', size, root = '', ...more] = text.split('\n');
  const start = `\u2014 ${origin} `;
  for (const line of signatures.split('\n').filter((one) => one.startsWith(start)))
    for (const raw of keys) {
      const signature = bytesOf(line.slice(start.length));
      const id = await hash(encode(`${origin}\n`), [1], raw);
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
      const isOfKey = id.slice(0, 4).join() === signature.slice(0, 4).join();
      if (isOfKey && (await crypto.subtle.verify('Ed25519', key, signature.slice(4), encode(`${text}\n`))))
        return { origin, size: Number(size), root, more };
    }
  throw new LedgerVerificationError('None of these keys signed the checkpoint.');
}

/** Verifies a statement without the service; returns its checkpoint. @throws LedgerVerificationError */
export async function verifyStatement(statement: LedgerStatement, publicKeys: readonly string[]): Promise<Checkpoint> {
  insistObject(statement, 'ledger_statement');
  const checkpoint = await openCheckpoint(statement.checkpoint, publicKeys);
  const { organization_id, environment, month, is_final, currency, first_index, entries } = statement;
  const { opening_balance: opening, closing_balance: closing } = statement;
  const signed = ['statement', 1, month, is_final ? 'final' : 'open', currency, first_index, opening, closing];
  const owner = `bestow/ledger/${organization_id}/${environment}/`;
  const isSigned = `${checkpoint.origin}/`.startsWith(owner) && checkpoint.more[0] === signed.join(' ');
  insist(isSigned, 'The statement was changed.');
  insist(entries.reduce((cents, { amount }) => cents + amount, opening) === closing, 'The entries do not add up.');
  const peaks = statement.before.map(bytesOf);
  for (const [index, entry] of entries.entries()) {
    let root = await leafOf(JSON.stringify(entry));
    for (let n = first_index + index; n % 2 === 1; n = (n - 1) / 2) root = await nodeOf(peaks.pop() ?? root, root);
    peaks.push(root);
  }
  let root = peaks.pop() ?? (await hash());
  while (peaks.length > 0) root = await nodeOf(peaks.pop() ?? root, root);
  const isWhole = base64Of(root) === checkpoint.root && first_index + entries.length === checkpoint.size;
  insist(isWhole, 'The entries are not those that were sealed.');
  return checkpoint;
}
