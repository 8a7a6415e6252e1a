import { hkdfSync } from 'node:crypto';

/** What a key that is derived from `LINK_SECRET` is for; the keys of one purpose say nothing about those of another. */
type KeyPurpose =
  | 'bestow links'
  | 'bestow seal'
  | 'bestow portal sessions'
  | 'bestow outbox'
  | 'bestow ledger'
  | 'bestow previews'
  | 'bestow fingerprint';

const KEY_BYTES = 32;

export const deriveKey = (secret: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
