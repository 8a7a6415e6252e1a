import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from '../base/derive-key.ts';

/** Encrypts short secrets in the database with a key that is derived from the link secret. */
export interface Seal {
  /** Encrypts a text. The result differs each time. */
  seal(text: string): string;
  /** Decrypts a text. Returns undefined if it was altered or sealed with another secret. */
  open(sealed: string): string | undefined;
  /** Seals it with the first secret if another one did. Returns it as it is otherwise, and if no secret opens it. */
  reseal(sealed: string): string;
  /** Whether it opens what other secrets than the first one sealed. */
  hasEarlier: boolean;
  /** A keyed hash, which finds the same text again until the secret is replaced. */
  fingerprint(text: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secrets the first seals, all open, so that a secret can be rotated */
export function createSeal(secrets: readonly string[]): Seal {
  const keys = secrets.map((secret) => deriveKey(secret, 'bestow seal'));
  const [sealingKey] = keys;
  if (sealingKey === undefined) throw new Error('A secret is needed.');
  const seal: Seal = {
    hasEarlier: keys.length > 1,
    reseal(sealed) {
      const text = seal.open(sealed);
      const isCurrent = text === undefined || openWith(sealingKey, Buffer.from(sealed, 'base64url')) !== undefined;
      return isCurrent ? sealed : seal.seal(text);
    },
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      for (const key of keys) {
        const text = openWith(key, bytes);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    fingerprint: (text) => createHmac('sha256', sealingKey).update(text).digest('base64url'),
  };
  return seal;
}

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
