import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { deriveKey } from '../../platform/base/derive-key.ts';
import { fingerprintOf } from '../../platform/base/fingerprint.ts';
import type { Scope } from '../../platform/base/principal.ts';

/** What a token is bound to. */
interface Previewed {
  scope: Scope;
  /** UUID of the first key of those that replaced one another, so that a token survives the replacement. */
  firstKeyId: string;
  /** The order as the client sent it. */
  body: unknown;
}

/**
 * Tokens that show that an order was previewed. A token is signed and not stored, is bound to the API key and those
 * that replace it, the environment and the exact body, and is the order's idempotency key.
 */
interface PreviewTokens {
  /** Each call returns another token, so that the same order can be placed twice on purpose. */
  sign(previewed: Previewed, expiresAtMs: number): string;
  /** Returns whether the token belongs to this key and body. */
  check(token: string, previewed: Previewed, nowMs: number): 'valid' | 'expired' | 'foreign';
}

export interface PreviewDeps extends Deps {
  /** Show that an agent previewed an order. */
  previewTokens: PreviewTokens;
}

const PREFIX = 'preview_';
const EXPIRY_BYTES = 6;
const CLAIMS_BYTES = EXPIRY_BYTES + 12;
const MAC_BYTES = 24;
const TOKEN = new RegExp(`^${PREFIX}[A-Za-z0-9_-]{${((CLAIMS_BYTES + MAC_BYTES) * 4) / 3}}$`);

/** @param secrets the first signs, all are accepted, so that a secret can be rotated */
export function createPreviewTokens(secrets: readonly string[]): PreviewTokens {
  const keys = secrets.map((secret) => deriveKey(secret, 'bestow previews'));
  const mac = (key: Buffer, claims: Buffer, { scope: { organizationId, environment }, firstKeyId, body }: Previewed) =>
    createHmac('sha256', key)
      .update(claims)
      .update(JSON.stringify([organizationId, environment, firstKeyId, fingerprintOf(body)]))
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    sign(previewed, expiresAtMs) {
      const [key] = keys;
      if (key === undefined) throw new Error('A link secret is needed.');
      const claims = randomBytes(CLAIMS_BYTES);
      claims.writeUIntBE(expiresAtMs, 0, EXPIRY_BYTES);
      return PREFIX + Buffer.concat([claims, mac(key, claims, previewed)]).toString('base64url');
    },
    check(token, previewed, nowMs) {
      if (!TOKEN.test(token)) return 'foreign';
      const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
      const claims = bytes.subarray(0, CLAIMS_BYTES);
      const isOurs = keys.some((key) => timingSafeEqual(mac(key, claims, previewed), bytes.subarray(CLAIMS_BYTES)));
      if (!isOurs) return 'foreign';
      return claims.readUIntBE(0, EXPIRY_BYTES) > nowMs ? 'valid' : 'expired';
    },
  };
}
