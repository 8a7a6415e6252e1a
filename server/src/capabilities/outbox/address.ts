import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { deriveKey } from '../../platform/base/derive-key.ts';

const TOKEN_BYTES = 18;

export interface OutboxPathDeps extends Deps {
  /** The secret path of the outbox page. */
  outboxPath: string;
}

/** The path of the outbox page, with a token that only readers of the link secret know. */
export function outboxPath([secret]: readonly string[]): string {
  if (secret === undefined) throw new Error('A link secret is needed.');
  return `/outbox/${deriveKey(secret, 'bestow outbox').toString('base64url', 0, TOKEN_BYTES)}`;
}

/** Compares without telling by its time how much was right. */
export function isOutboxPath(path: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(path), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
