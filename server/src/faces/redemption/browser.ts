import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../core/deps.ts';
import { readSecretCookie } from '../../platform/http/secret-cookie.ts';

/** The recipient's browser, by a random cookie: the same for all gifts, so that it stays small. */
interface Browser {
  /** What the database stores of it for a gift. */
  hashFor(giftId: string): Buffer;
  /** Whether the hash was made for this browser and gift. */
  holds(giftId: string, holderHash: Buffer | null): boolean;
  /** Keeps the cookie for 400 days more, the most that browsers allow. */
  remember(reply: FastifyReply): void;
}

const LIFETIME_SECONDS = 34_560_000;

/** Returns the browser of the request; a browser without the cookie gets a new one with `remember`. */
export function browserOf({ publicUrl }: Pick<Deps, 'publicUrl'>, request: FastifyRequest): Browser {
  const isSecure = publicUrl().startsWith('https:');
  const name = isSecure ? '__Host-bestow.recipient' : 'bestow.recipient';
  const secret = readSecretCookie(request.headers.cookie, name) ?? newSecretOf(request);
  const hashFor = (giftId: string) => createHash('sha256').update(`${secret} ${giftId}`).digest();
  return {
    hashFor,
    holds: (giftId, holderHash) => holderHash !== null && timingSafeEqual(hashFor(giftId), holderHash),
    remember(reply) {
      const attributes = `Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      reply.header('set-cookie', `${name}=${secret}; ${attributes}`);
    },
  };
}

const newSecrets = new WeakMap<FastifyRequest, string>();

/** The same during the request. */
function newSecretOf(request: FastifyRequest): string {
  const secret = newSecrets.get(request) ?? randomBytes(32).toString('base64url');
  newSecrets.set(request, secret);
  return secret;
}
