import { createHash } from 'node:crypto';

/** Names the balance that a key's account pays from, without the key. */
export const fundingAccount = (kind: string, key: string): string =>
  createHash('sha256').update(`funding account\n${kind}\n${key}`).digest('base64url');
