import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { deriveKey } from '../../platform/base/derive-key.ts';

// An Ed25519 key in DER is a fixed beginning and 32 bytes.
const PRIVATE_KEY = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

interface CheckpointKey {
  /** Eight hexadecimal digits of its hash. */
  keyId: string;
  /** 32 bytes. */
  publicKey: Buffer;
  /** `current` signs, `other` is also accepted, while secrets are rotated; the secret of an `earlier` one is gone. */
  state: 'current' | 'other' | 'earlier';
}

/** The keys of checkpoints and statements. */
export interface CheckpointKeys {
  current: CheckpointKey;
  /** All that may have signed, the current one first. */
  all: readonly CheckpointKey[];
  /** Signs with the current key. */
  sign(text: Buffer): Buffer;
}

export interface CheckpointDeps extends Deps {
  /** Sign the checkpoints of ledgers. */
  checkpointKeys: CheckpointKeys;
}

/**
 * Derives the keys from the service's secrets, so that a database alone cannot forge a signature.
 *
 * @param secrets the first signs
 * @param earlierKeys public keys in Base64 of secrets that are gone
 */
export function createCheckpointKeys(secrets: readonly string[], earlierKeys: readonly string[]): CheckpointKeys {
  const [privateKey, ...others] = secrets.map((secret) => privateKeyOf(deriveKey(secret, 'bestow ledger')));
  if (privateKey === undefined) throw new Error('There is no secret to sign checkpoints with.');
  const current = keyOf(publicKeyOf(privateKey), 'current');
  const all = [
    current,
    ...others.map((other) => keyOf(publicKeyOf(other), 'other')),
    ...earlierKeys.map((text) => keyOf(Buffer.from(text, 'base64'), 'earlier')),
  ];
  return { current, all, sign: (text) => sign(null, text, privateKey) };
}

const privateKeyOf = (seed: Buffer) =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (privateKey: KeyObject) =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);

/** @param publicKey 32 bytes */
export const keyObjectOf = (publicKey: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_KEY, publicKey]), format: 'der', type: 'spki' });

const keyOf = (publicKey: Buffer, state: CheckpointKey['state']): CheckpointKey => ({
  keyId: createHash('sha256').update(publicKey).digest('hex').slice(0, 8),
  publicKey,
  state,
});

/** The document at the well-known path. */
export const publishKeys = ({ all }: CheckpointKeys) => ({
  keys: all.map(({ keyId, publicKey, state }) => ({
    key_id: keyId,
    algorithm: 'Ed25519' as const,
    public_key: publicKey.toString('base64'),
    state,
  })),
});
