import type { LedgerProof } from './bodies.ts';
import {
  base64Of,
  bytesOf,
  type Checkpoint,
  insist,
  insistObject,
  leafOf,
  nodeOf,
  openCheckpoint,
} from './verify-statement.ts';

const REWRITTEN = 'The ledger does not continue the one of the earlier checkpoint: its history was changed.';
const half = (number: number) => Math.floor(number / 2);
const isOdd = (number: number) => number % 2 === 1;

/**
 * Verifies that an entry is in the ledger (RFC 9162, 2.1.3.2) and returns the entry.
 *
 * @param publicKeys in Base64, which you trust
 * @throws LedgerVerificationError
 */
export async function verifyInclusion(proof: LedgerProof, publicKeys: readonly string[]): Promise<unknown> {
  insistObject(proof, 'ledger_proof');
  insist(proof.type === 'inclusion', 'This proof is of consistency. Pass it to verifyConsistency.');
  const { root, size } = await openCheckpoint(proof.checkpoint, publicKeys);
  const { entry = '', entry_id, index = 0 } = proof;
  insist(proof.size === size && index < size, 'This proves another tree.');
  let [place, last, found] = [index, size - 1, await leafOf(entry)];
  for (const hash of proof.hashes.map(bytesOf)) {
    insist(last > 0, 'The proof is too long.');
    if (isOdd(place) || place === last) {
      found = await nodeOf(hash, found);
      for (; place > 0 && !isOdd(place); place = half(place)) last = half(last);
    } else found = await nodeOf(found, hash);
    [place, last] = [half(place), half(last)];
  }
  insist(last === 0 && base64Of(found) === root, 'The entry is not the one that was sealed.');
  const parsed = JSON.parse(entry) as { entry_id?: string };
  insist(parsed.entry_id === entry_id, 'The proof is of another entry.');
  return parsed;
}

/**
 * Verifies that the ledger continues the one of an earlier checkpoint (RFC 9162, 2.1.4.2): nothing before it was changed or
 * removed. Returns the later checkpoint; keep it.
 *
 * @param earlier the note of a checkpoint that you kept
 * @param proof the answer to `from_size`, the size of that checkpoint
 * @param publicKeys in Base64, which you trust
 * @throws LedgerVerificationError
 */
export async function verifyConsistency(
  earlier: string,
  proof: LedgerProof,
  publicKeys: readonly string[],
): Promise<Checkpoint> {
  insistObject(proof, 'ledger_proof');
  insist(proof.type === 'consistency', 'This proof is of one entry. Pass it to verifyInclusion.');
  const first = await openCheckpoint(earlier, publicKeys);
  const second = await openCheckpoint(proof.checkpoint, publicKeys);
  insist(first.origin === second.origin, 'The checkpoints are of different ledgers.');
  insist(proof.from_size === first.size, 'This proves another tree.');
  insist(proof.size === second.size && first.size <= second.size, 'This proves another tree.');
  if (first.size === 0 || first.size === second.size) {
    insist(proof.hashes.length === 0 && (first.size === 0 || first.root === second.root), REWRITTEN);
    return second;
  }
  const path = proof.hashes.map(bytesOf);
  if (Number.isInteger(Math.log2(first.size))) path.unshift(bytesOf(first.root));
  let [place, last] = [first.size - 1, second.size - 1];
  for (; isOdd(place); place = half(place)) last = half(last);
  const [start = new Uint8Array(), ...rest] = path;
  let [old, now] = [start, start];
  for (const hash of rest) {
    insist(last > 0, 'The proof is too long.');
    if (isOdd(place) || place === last) {
      [old, now] = [await nodeOf(hash, old), await nodeOf(hash, now)];
      for (; place > 0 && !isOdd(place); place = half(place)) last = half(last);
    } else now = await nodeOf(now, hash);
    [place, last] = [half(place), half(last)];
  }
  const holds = last === 0 && base64Of(old) === first.root && base64Of(now) === second.root;
  insist(holds, REWRITTEN);
  return second;
}
