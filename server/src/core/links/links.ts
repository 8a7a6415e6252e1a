import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../platform/base/derive-key.ts';
import type { Environment } from '../../platform/base/environment.ts';

/** The claims of a redemption link. The ids are UUIDs. */
export interface LinkClaims {
  organizationId: string;
  environment: Environment;
  giftId: string;
  /** A redirect or a new link increases it, which ends all earlier links. */
  version: number;
  expiresAtMs: number;
}

/** Redemption links: `{PUBLIC_URL}/g/<token>`. The token contains its claims and their HMAC, so none are stored. */
export interface Links {
  /** Signs a link. The same claims always give the same link. */
  url(claims: LinkClaims): string;
  /** Returns the claims of a token, or undefined if the signature is invalid. Callers check expiry and version. */
  read(token: string): LinkClaims | undefined;
}

const UUID_BYTES = 16;
const MAC_BYTES = 16;
const CLAIMS_BYTES = 1 + UUID_BYTES + UUID_BYTES + 2 + 6;
const TOKEN_CHARACTERS = Math.ceil(((CLAIMS_BYTES + MAC_BYTES) * 4) / 3);
const environments: readonly Environment[] = ['live', 'sandbox'];

/** In the first byte, beside the environment: the token names its key. */
const NAMES_KEY = 0x80;
const ENVIRONMENT_BITS = 0x01;

/** A key that may have signed a token, and the first byte without its environment. */
interface SigningKey {
  mark: number;
  key: Buffer;
}

/** The id has six bits: keys that share one are all tried. */
function derivedKey(secret: string): SigningKey {
  const key = deriveKey(secret, 'bestow links');
  const id = createHash('sha256').update(key).digest().readUInt8(0) >> 2;
  return { mark: NAMES_KEY | (id << 1), key };
}

const mac = (key: Buffer, claims: Uint8Array, repetition: Uint8Array = new Uint8Array()) =>
  createHmac('sha256', key).update(claims).update(repetition).digest().subarray(0, MAC_BYTES);

/** The last six bits that Base64 writes as `-` or `_`. */
const SYMBOLS = 62;

/** Text programs leave a `-` or `_` at the end out of a link, so such an HMAC is replaced by that of the next repetition. */
function tidyMac(key: Buffer, claims: Uint8Array): Buffer {
  let found = mac(key, claims);
  for (let repetition = 1; (found.readUInt8(MAC_BYTES - 1) & 63) >= SYMBOLS && repetition < 256; repetition += 1)
    found = mac(key, claims, Uint8Array.of(repetition));
  return found;
}

/** Returns the part of a text that can be a token: mail and text programs add what follows a link. */
export const tokenIn = (text: string): string => /^[\w-]+/.exec(text)?.[0] ?? text;

/** @param secrets the first signs, all are accepted, so that a secret can be rotated */
export function createLinks(secrets: readonly string[], publicUrl: () => string): Links {
  const derived = secrets.map(derivedKey);
  const [signing] = derived;
  if (signing === undefined) throw new Error('A link secret is needed.');

  return {
    url(claims) {
      const token = Buffer.alloc(CLAIMS_BYTES + MAC_BYTES);
      token.writeUInt8(signing.mark | environments.indexOf(claims.environment), 0);
      token.write(claims.organizationId.replaceAll('-', ''), 1, 'hex');
      token.write(claims.giftId.replaceAll('-', ''), 1 + UUID_BYTES, 'hex');
      token.writeUInt16BE(claims.version, 1 + 2 * UUID_BYTES);
      token.writeUIntBE(claims.expiresAtMs, 3 + 2 * UUID_BYTES, 6);
      tidyMac(signing.key, token.subarray(0, CLAIMS_BYTES)).copy(token, CLAIMS_BYTES);
      return `${publicUrl()}/g/${token.toString('base64url')}`;
    },
    read(text) {
      if (text.length !== TOKEN_CHARACTERS || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
      const token = Buffer.from(text, 'base64url');
      const claims = token.subarray(0, CLAIMS_BYTES);
      const signature = token.subarray(CLAIMS_BYTES);
      const first = claims.readUInt8(0);
      const candidates = derived.filter(({ mark }) => mark === (first & ~ENVIRONMENT_BITS));
      const macs = candidates.map(({ key }) => tidyMac(key, claims));
      if (!macs.some((expected) => timingSafeEqual(expected, signature))) return undefined;
      const environment = environments[first & ENVIRONMENT_BITS];
      if (environment === undefined) return undefined;
      return {
        environment,
        organizationId: formatUuid(claims.toString('hex', 1, 1 + UUID_BYTES)),
        giftId: formatUuid(claims.toString('hex', 1 + UUID_BYTES, 1 + 2 * UUID_BYTES)),
        version: claims.readUInt16BE(1 + 2 * UUID_BYTES),
        expiresAtMs: claims.readUIntBE(3 + 2 * UUID_BYTES, 6),
      };
    },
  };
}

const formatUuid = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
