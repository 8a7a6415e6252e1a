import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignInChange } from '../../audit/actions.ts';
import { systemClock } from '../../base/clock.ts';
import type { Deps } from '../../deps.ts';
import { BestowError } from '../../errors.ts';
import { addressBucket } from '../../rate-limits/rate-limit.ts';
import { findSession, requireOwnOrigin, webHeaders } from '../access.ts';
import { limitAttempts } from '../limit-attempts.ts';
import { recordSignInChange } from './record-sign-in-change.ts';
import type { Session } from './sign-in.ts';

/** Calls that hand out or try a secret, and how many of them one client and one person may make. */
type Limit = 'tries' | 'none';

/**
 * What of `better-auth` is reachable, and the fields of a body that are passed on; nothing else of it is. With more it would
 * store names and pictures that a client makes up, and let a second factor be left out for a month.
 */
export const authCalls: readonly {
  method: 'GET' | 'POST';
  path: string;
  limit: Limit;
  takes?: readonly string[];
  /** Changes how the person signs in. */
  needsFreshSession?: boolean;
  /** What is recorded of its success, where it was made by somebody who is signed in. */
  change?: SignInChange;
}[] = [
  { method: 'POST', path: '/email-otp/send-verification-otp', limit: 'tries', takes: ['email', 'type'] },
  { method: 'POST', path: '/sign-in/email-otp', limit: 'tries', takes: ['email', 'otp'] },
  { method: 'POST', path: '/two-factor/verify-totp', limit: 'tries', takes: ['code'], change: 'authenticator_added' },
  { method: 'POST', path: '/two-factor/verify-backup-code', limit: 'tries', takes: ['code'] },
  { method: 'POST', path: '/two-factor/enable', limit: 'tries', needsFreshSession: true },
  {
    method: 'POST',
    path: '/two-factor/disable',
    limit: 'tries',
    needsFreshSession: true,
    change: 'authenticator_removed',
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', limit: 'tries' },
  { method: 'POST', path: '/passkey/verify-authentication', limit: 'tries', takes: ['response'] },
  { method: 'GET', path: '/passkey/generate-register-options', limit: 'none', needsFreshSession: true },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    limit: 'none',
    takes: ['response', 'name'],
    needsFreshSession: true,
    change: 'passkey_added',
  },
  { method: 'GET', path: '/passkey/list-user-passkeys', limit: 'none' },
  {
    method: 'POST',
    path: '/passkey/delete-passkey',
    limit: 'none',
    takes: ['id'],
    needsFreshSession: true,
    change: 'passkey_removed',
  },
  { method: 'POST', path: '/sign-out', limit: 'none' },
];

const FRESH_SESSION_MS = 10 * 60_000;

/** Ten at once, then one every ten seconds: of each client, and of each address that a code is asked for. */
const TRIES = { perSecond: 0.1, burst: 10 };

const tooMany = (wait: string) => `Too many attempts. Try again in ${wait}.`;

/** The sign-in's calls, passed on to `better-auth`. */
export function signInRoutes(portal: FastifyInstance, deps: Deps): void {
  const perClient = deps.rateLimits.open('sign-in-client', TRIES);
  const perPerson = deps.rateLimits.open('sign-in-person', TRIES);

  for (const { method, path, limit, takes = [], needsFreshSession = false, change } of authCalls)
    portal.route({
      method,
      url: `/auth${path}`,
      config: { access: 'public', body: 'optional' },
      onRequest: async (request, reply) => {
        requireOwnOrigin(deps, request);
        if (limit === 'tries') await limitAttempts(perClient, addressBucket(request.ip), tooMany);
        // At each call: what has ended is gone before the library looks.
        const session = await findSession(deps, request, reply);
        if (needsFreshSession) requireFresh(session);
        request.portal = { session, member: undefined };
      },
      handler: async (request, reply) => {
        const { email, type } = (request.body ?? {}) as { email?: unknown; type?: unknown };
        if (limit === 'tries' && typeof email === 'string')
          await limitAttempts(perPerson, hash('sha256', email.toLowerCase()), tooMany);
        if (path.startsWith('/email-otp/') && type !== 'sign-in')
          throw new BestowError('parameter_invalid', {
            param: 'type',
            message: 'Only codes to sign in with are sent.',
          });
        const response = await deps.signIn.handle(webRequest(deps, request, takes));
        for (const [name, value] of response.headers)
          if (name !== 'set-cookie' && name.startsWith('content-type')) reply.header(name, value);
        const cookies = response.headers.getSetCookie();
        if (cookies.length > 0) reply.header('set-cookie', cookies);
        const text = await response.text();
        if (!response.ok) request.errorCode = codeIn(text);
        const { session } = request.portal;
        if (response.ok && session !== undefined && isMade(change, session))
          await recordSignInChange(deps, { email: session.email, address: request.ip }, change);
        return reply.code(response.status).send(text);
      },
    });
}

/** What the library calls its refusal, such as `INVALID_OTP`. */
const codeIn = (text: string) => /"code":"(\w+)"/.exec(text)?.[1];

/**
 * Whoever finds a session left open must not get in for good, nor lock its owner out (ASVS 5.0, 7.5.1).
 *
 * @throws BestowError `sign_in_required`, `sign_in_again`
 */
function requireFresh(session: Session | undefined): void {
  if (session === undefined) throw new BestowError('sign_in_required');
  // The library dates its sessions by the real time.
  if (systemClock.now() - session.signedInAt.getTime() > FRESH_SESSION_MS) throw new BestowError('sign_in_again');
}

/** False where all stays as it was: an app that is set up was only proven, or none was there to be turned off. */
function isMade(change: SignInChange | undefined, { hasSecondFactor }: Session): change is SignInChange {
  if (change === 'authenticator_added') return !hasSecondFactor;
  if (change === 'authenticator_removed') return hasSecondFactor;
  return change !== undefined;
}

function webRequest({ publicUrl }: Deps, request: FastifyRequest, takes: readonly string[]): Request {
  const headers = webHeaders(request);
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  const hasBody = request.method === 'POST';
  if (hasBody) headers.set('content-type', 'application/json');
  const sent = (request.body ?? {}) as Record<string, unknown>;
  const body = Object.fromEntries(takes.filter((name) => Object.hasOwn(sent, name)).map((name) => [name, sent[name]]));
  // Without a query: no call takes one.
  return new Request(new URL(request.routeOptions.url ?? '', publicUrl()), {
    method: request.method,
    headers,
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  });
}
