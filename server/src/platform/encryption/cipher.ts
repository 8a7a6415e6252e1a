import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from '../base/derive-key.ts';

/** Encrypts short secrets in the database with a key that is derived from the link secret. */
export interface Cipher {
  /** Encrypts a text. The result differs each time. */
  encrypt(text: string): string;
  /** Decrypts a text. Returns undefined if it was altered or encrypted with another secret. */
  decrypt(sealed: string): string | undefined;
  /** Encrypts it with the first secret if another one did. Returns it as it is otherwise, and if no secret decrypts it. */
  encryptAgain(sealed: string): string;
  /** Whether it decrypts what other secrets than the first one encrypted. */
  hasEarlier: boolean;
  /** A keyed hash, which finds the same text again until the secret is replaced. */
  fingerprint(text: string): string;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param secrets the first encrypts, all decrypt, so that a secret can be rotated */
export function createCipher(secrets: readonly string[]): Cipher {
  const keys = secrets.map((secret) => deriveKey(secret, 'bestow seal'));
  const [encryptingKey] = keys;
  if (encryptingKey === undefined) throw new Error('A secret is needed.');
  const cipher: Cipher = {
    hasEarlier: keys.length > 1,
    encryptAgain(sealed) {
      const text = cipher.decrypt(sealed);
      const isCurrent = text === undefined || openWith(encryptingKey, Buffer.from(sealed, 'base64url')) !== undefined;
      return isCurrent ? sealed : cipher.encrypt(text);
    },
    encrypt(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const aes = createCipheriv(ALGORITHM, encryptingKey, nonce);
      const sealed = Buffer.concat([aes.update(text, 'utf8'), aes.final()]);
      return Buffer.concat([nonce, aes.getAuthTag(), sealed]).toString('base64url');
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      for (const key of keys) {
        const text = openWith(key, bytes);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    fingerprint: (text) => createHmac('sha256', encryptingKey).update(text).digest('base64url'),
  };
  return cipher;
}

function openWith(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
