import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps short secrets unreadable in the database: what is sealed can be opened only with the installation's secret. */
export interface Seal {
  /** The same text gives another result each time. */
  seal(text: string): string;
  /** What was sealed, or undefined where it was not sealed here or was altered. */
  open(sealed: string): string | undefined;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Sets this key apart from others that are made of the same secret. */
const PURPOSE = 'bestow seal';

/** @param secrets the first seals, all open: so a secret can be replaced while sealed texts are under way */
export function createSeal(secrets: readonly string[]): Seal {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES)));
  const [sealingKey] = keys;
  if (sealingKey === undefined) throw new Error('A secret is needed.');
  return {
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
  };
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
