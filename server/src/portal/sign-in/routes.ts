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

/** `tries`: limited for each client and each person, because the call sends or tries a secret. */
type Limit = 'tries' | 'none';

/**
 * The only reachable calls of `better-auth`, and the body fields that are passed on. Other fields would store names and
 * pictures from the client, or skip the second factor for a month.
 */
export const authCalls: readonly {
  method: 'GET' | 'POST';
  path: string;
  limit: Limit;
  takes?: readonly string[];
  /** The call changes how the person signs in. */
  needsFreshSession?: boolean;
  /** The audit event if a signed-in person's call succeeds. */
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

/** For each client and each email address: a burst of ten, then one every ten seconds. */
const TRIES = { perSecond: 0.1, burst: 10 };

const tooMany = (wait: string) => `Too many attempts. Try again in ${wait}.`;

/** Passes the sign-in's calls on to `better-auth`. */
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
        // At each call, so that an ended session is deleted before the library reads it.
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
            message: 'Only sign-in codes can be sent.',
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

/** The library's error code, such as `INVALID_OTP`. */
const codeIn = (text: string) => /"code":"(\w+)"/.exec(text)?.[1];

/**
 * Prevents a person who finds an open session from taking over the account (ASVS 5.0, 7.5.1).
 *
 * @throws BestowError `sign_in_required`, `sign_in_again`
 */
function requireFresh(session: Session | undefined): void {
  if (session === undefined) throw new BestowError('sign_in_required');
  // The library uses the real time for its sessions.
  if (systemClock.now() - session.signedInAt.getTime() > FRESH_SESSION_MS) throw new BestowError('sign_in_again');
}

/** False if nothing changed: a code was checked, or there was no app to remove. */
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
  // No call takes a query.
  return new Request(new URL(request.routeOptions.url ?? '', publicUrl()), {
    method: request.method,
    headers,
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  });
}
