import { hkdfSync } from 'node:crypto';

/** The purpose of a key derived from `LINK_SECRET`. A key reveals nothing about the keys of other purposes. */
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
