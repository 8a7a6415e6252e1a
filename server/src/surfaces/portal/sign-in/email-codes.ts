import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { Context } from './sealed-authenticator.ts';
import { CODE_LIFE_SECONDS, type EnteredCode } from './try-code.ts';

const SEND_PATH = '/email-otp/send-verification-otp';
const SIGN_IN_PATH = '/sign-in/email-otp';
/** The calls that may complete a sign-in. */
const SIGN_INS = new Set([
  SIGN_IN_PATH,
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);
const LONGEST_EMAIL = 254;
const NONCE_BYTES = 32;
const DEVICE_LIFE_SECONDS = 400 * 86_400;

export interface CodeActs {
  /**
   * Starts a flow and mails its code. Returns false if members of some organizations are unknown now, because their shard does
   * not answer. Throws if the address was sent too many codes.
   */
  start(flow: EnteredCode & { code: string }): Promise<boolean>;
  tryCode(entered: EnteredCode): Promise<'right' | 'wrong' | 'used_up'>;
  /** Remembers the browser of a person who has signed in. */
  remember(person: { id: string; email: string }, deviceHash: Buffer, address: string): Promise<void>;
}

const REFUSALS = {
  wrong: { code: 'INVALID_OTP', message: 'Invalid OTP' },
  used_up: { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts' },
};

/**
 * Sign-in with a code by email. Each code works only in the browser that asked for it, by a cookie with a nonce, so that a
 * stranger's tries do not touch it. The library's own plugin has one code for an address, which anyone can use up.
 */
export function emailCodes({ start, tryCode, remember }: CodeActs, secret: string) {
  // Six digits can be guessed from a plain hash, but not without the secret.
  const hashCode = (code: string) => createHmac('sha256', secret).update(code).digest('base64url');
  const hash = (nonce: string) => createHash('sha256').update(nonce).digest();

  return {
    id: 'email-codes',
    endpoints: {
      sendCode: createAuthEndpoint(SEND_PATH, { method: 'POST' }, async (context) => {
        const email = emailOf(context.body);
        const code = String(randomInt(1_000_000)).padStart(6, '0');
        const nonce = randomBytes(NONCE_BYTES).toString('base64url');
        const deviceHash = await readCookie(context, 'device', hash);
        const address = addressOf(context);
        const started = { email, code, codeHash: hashCode(code), flowHash: hash(nonce), deviceHash, address };
        const knowsAll = await start(started);
        await writeCookie(context, 'flow', nonce, CODE_LIFE_SECONDS);
        return context.json(knowsAll ? { success: true } : { success: true, some_are_missing: true });
      }),
      signInWithCode: createAuthEndpoint(SIGN_IN_PATH, { method: 'POST' }, async (context) => {
        const email = emailOf(context.body);
        const { otp } = context.body as { otp?: unknown };
        const flowHash = await readCookie(context, 'flow', hash);
        const deviceHash = await readCookie(context, 'device', hash);
        const outcome =
          typeof otp === 'string' && flowHash !== undefined
            ? await tryCode({ email, codeHash: hashCode(otp), flowHash, deviceHash, address: addressOf(context) })
            : 'wrong';
        if (outcome !== 'right') throw new APIError('BAD_REQUEST', REFUSALS[outcome]);
        const { internalAdapter } = context.context;
        const user =
          (await internalAdapter.findUserByEmail(email))?.user ??
          (await internalAdapter.createUser({ email, emailVerified: true, name: '' }, { method: 'email-otp' }));
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(context, { session, user });
        return context.json({ success: true });
      }),
    },
    hooks: {
      after: [
        {
          matcher: ({ path }) => path !== undefined && SIGN_INS.has(path),
          handler: createAuthMiddleware(async (context) => {
            // Null while a second factor is missing.
            const { newSession } = context.context;
            if (!newSession) return;
            const cookie = context.context.createAuthCookie('device');
            const known = await context.getSignedCookie(cookie.name, context.context.secret);
            const device = known || randomBytes(NONCE_BYTES).toString('base64url');
            await remember(newSession.user, hash(device), addressOf(context));
            await writeCookie(context, 'device', device, DEVICE_LIFE_SECONDS);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** The client's, which the server sets: portal/access.ts. */
const addressOf = ({ headers }: Context) => headers?.get('x-bestow-client-address') ?? '';

/** @throws APIError if it is not an address */
function emailOf(body: unknown): string {
  const { email } = (body ?? {}) as { email?: unknown };
  if (typeof email !== 'string' || email.length > LONGEST_EMAIL || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL', message: 'Invalid email' });
  return email.toLowerCase();
}

async function readCookie(context: Context, name: string, hash: (nonce: string) => Buffer) {
  const nonce = await context.getSignedCookie(context.context.createAuthCookie(name).name, context.context.secret);
  return nonce ? hash(nonce) : undefined;
}

async function writeCookie(context: Context, name: string, value: string, maxAge: number): Promise<void> {
  const cookie = context.context.createAuthCookie(name, { maxAge });
  await context.setSignedCookie(cookie.name, value, context.context.secret, cookie.attributes);
}
