import { createHash, verify as verifySignature } from 'node:crypto';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { type CheckpointKeys, keyObjectOf } from './checkpoint-keys.ts';

// Checkpoints have the form of https://c2sp.org/tlog-checkpoint: the origin, the size, the root and further lines, an empty
// line, and a signature after https://c2sp.org/signed-note.

const PREFIX = 'bestow/ledger';
const SIGNATURE = '\u2014 ';
const ED25519 = Buffer.from([1]);
const KEY_HASH_BYTES = 4;

/**
 * Names a tree. A sandbox has another one after each reset, so its name ends in its first entry; after a restore of the database
 * every tree is another one, and its name ends in the restore's id.
 */
export function originOf(
  organizationId: string,
  environment: Environment,
  { first_id, restored_id }: { first_id: string | null; restored_id: string | null },
): string {
  const ofSandbox = environment === 'live' ? null : first_id;
  // Ids rise with time: a reset may follow a restore.
  const id = [ofSandbox ?? '', restored_id ?? ''].sort().at(-1);
  return [PREFIX, encodeId('org', organizationId), environment, ...(id ? [encodeId('led', id)] : [])].join('/');
}

/** The first bytes of a signature: which key of a name made it. */
const keyHashOf = (name: string, publicKey: Buffer) =>
  createHash('sha256').update(`${name}\n`).update(ED25519).update(publicKey).digest().subarray(0, KEY_HASH_BYTES);

interface Head {
  origin: string;
  size: number;
  root: Buffer;
}

/** @param more further lines, which the signature covers too */
export function signNote(keys: CheckpointKeys, { origin, size, root }: Head, more: readonly string[] = []): string {
  const text = `${[origin, size, root.toString('base64'), ...more].join('\n')}\n`;
  const hash = keyHashOf(origin, keys.current.publicKey);
  const signature = Buffer.concat([hash, keys.sign(Buffer.from(text))]);
  return `${text}\n${SIGNATURE}${origin} ${signature.toString('base64')}\n`;
}

interface Note extends Head {
  organizationId: string;
  environment: Environment;
  more: string[];
  text: string;
  signatures: string[];
}

/** Takes a note apart, without a look at its signatures; undefined if it is not the note of a tree. */
export function parseNote(note: string): Note | undefined {
  const end = note.indexOf(`\n\n${SIGNATURE}`);
  if (end < 0) return undefined;
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = '', ...more] = text.slice(0, -1).split('\n');
  const named = /^bestow\/ledger\/(org_[0-9a-z]{26})\/(live|sandbox)(?:\/led_[0-9a-z]{26})?$/.exec(origin);
  const organizationId = decodeId('org', named?.[1] ?? '');
  const isWhole = /^(?:0|[1-9]\d{0,15})$/.test(size) && /^[A-Za-z0-9+/]{43}=$/.test(root);
  if (organizationId === undefined || !isWhole) return undefined;
  return {
    origin,
    size: Number(size),
    root: Buffer.from(root, 'base64'),
    organizationId,
    environment: named?.[2] as Environment,
    more,
    text,
    signatures: note
      .slice(end + 2)
      .split('\n')
      .filter((line) => line.startsWith(`${SIGNATURE}${origin} `)),
  };
}

/** Whether one of the keys signed the note. @param publicKeys 32 bytes each */
export const isSignedBy = ({ origin, text, signatures }: Note, publicKeys: readonly Buffer[]): boolean =>
  signatures.some((line) => {
    const signature = Buffer.from(line.slice(SIGNATURE.length + origin.length + 1), 'base64');
    const [hash, signed] = [signature.subarray(0, KEY_HASH_BYTES), signature.subarray(KEY_HASH_BYTES)];
    return publicKeys.some(
      (key) =>
        keyHashOf(origin, key).equals(hash) && verifySignature(null, Buffer.from(text), keyObjectOf(key), signed),
    );
  });
