import { createHash } from 'node:crypto';
import { passkey } from '@better-auth/passkey';
import type { BetterAuthOptions } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../../../platform/base/clock.ts';
import { deriveKey } from '../../../platform/base/derive-key.ts';
import { isLoopback } from '../../../platform/base/loopback.ts';
import { addToMatcher } from '../../../platform/base/private-internals.ts';
import * as tables from './auth-tables.ts';
import { type CodeActs, emailCodes } from './email-codes.ts';
import { signInOrigins } from './origins.ts';
import { refuseLostRecoveryCodes } from './sealed-authenticator.ts';
import { type CodeSurroundings, takeCodeOnce } from './take-code-once.ts';
import { askForVerification, refuseUnverified } from './verified-passkeys.ts';

const AUTH_PATH = '/portal/api/auth';

const DAY_SECONDS = 86_400;
/** An unused session ends after three days; `sign-in.ts` ends every session thirty days after the sign-in. */
const SESSION_IDLE_SECONDS = 3 * DAY_SECONDS;
const SESSION_RENEWED_SECONDS = 3_600;

interface AuthSurroundings extends CodeSurroundings {
  /** Tables in the schema `portal`. */
  pool: Pool;
  /** PUBLIC_URL, then other addresses of pages that may sign people in. */
  urls: readonly [publicUrl: string, ...others: string[]];
  /** The first signs and encrypts; the others still decrypt secrets of authenticator apps. */
  secrets: readonly string[];
  log: Logger;
  codeActs: CodeActs;
}

/**
 * The options of `better-auth`: one-time codes by email, passkeys, TOTP as a second factor, sessions. There are no
 * passwords and no sign-up: only members of an organization get a code.
 *
 * @see https://better-auth.com/docs
 */
export function authOptions({ pool, urls, secrets, log, codeActs, clock, claimStep }: AuthSurroundings) {
  const { hostname, origin } = new URL(urls[0]);
  const isSecure = origin.startsWith('https:');
  // Passkeys need a host name, so a loopback address becomes `localhost`.
  const domain = isLoopback(hostname) ? 'localhost' : hostname;
  const origins = signInOrigins(urls);
  const ownSecrets = secrets.map(deriveSecret);
  const [currentSecret = ''] = ownSecrets;

  return {
    appName: 'Bestow',
    // Without a path: with one the library ignores `basePath`.
    baseURL: origin,
    basePath: AUTH_PATH,
    secrets: ownSecrets.map((value) => ({ version: versionOf(value), value })),
    database: pool,
    trustedOrigins: origins,
    telemetry: { enabled: false },
    // The server and `routes.ts` limit requests; the library's limiter writes to the database at each call.
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.error({ from: 'better-auth' }, message) },
    // The server logs and answers unexpected errors; the library would write to the console.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: isSecure ? '__Host-bestow' : 'bestow',
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: ['x-bestow-client-address'] },
    },
    user: tables.user,
    // `routes.ts` requires a fresh session, by the service's clock instead of the system's.
    session: { ...tables.session, expiresIn: SESSION_IDLE_SECONDS, updateAge: SESSION_RENEWED_SECONDS, freshAge: 0 },
    databaseHooks: sessionHooks(clock),
    account: tables.account,
    verification: tables.verification,
    plugins: [
      askAfterEmailCode(twoFactor({ allowPasswordless: true, issuer: 'Bestow', schema: tables.twoFactor })),
      // After the second factor, which takes the session away until it is proved.
      emailCodes(codeActs, currentSecret),
      takeCodeOnce({ clock, claimStep }),
      refuseLostRecoveryCodes,
      askForVerification,
      passkeys(domain, origins),
    ],
  } satisfies BetterAuthOptions;
}

const passkeys = (hostname: string, origins: string[]) =>
  passkey({
    rpID: hostname,
    rpName: 'Bestow',
    origin: origins,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    ...refuseUnverified,
    schema: tables.passkey,
  });

/** The calls that create a session after a second factor. A passkey is one, because it verifies its user. */
const SECOND_FACTORS = new Set([
  '/passkey/verify-authentication',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
]);

const sessionHooks = (clock: Clock): BetterAuthOptions['databaseHooks'] => ({
  session: {
    create: {
      before: async (_session, call) => {
        const hasSecondFactor = SECOND_FACTORS.has(call?.path ?? '');
        // Replacing a cookie is not a sign-in, so the session keeps the time of its sign-in.
        const changed = call?.path.startsWith('/two-factor/') ? call.context.session?.session : undefined;
        return { data: { hasSecondFactor, createdAt: changed?.createdAt ?? new Date(clock.now()) } };
      },
    },
  },
});

/**
 * The plugin asks for a second factor only after passwords. Without this change an email code alone would be enough.
 */
function askAfterEmailCode<Plugin extends ReturnType<typeof twoFactor>>(plugin: Plugin): Plugin {
  addToMatcher(plugin, '/sign-in/email-otp');
  return plugin;
}

function deriveSecret(secret: string): string {
  return deriveKey(secret, 'bestow portal sessions').toString('base64url');
}

/** Derives the version from the secret, so that a replaced secret still decrypts its data. */
function versionOf(ownSecret: string): number {
  return createHash('sha256').update(ownSecret).digest().readUInt32BE(0);
}
