import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/deps.ts';
import { findSession, requireFreshSignIn, requireOwnOrigin, webHeaders } from '../../../faces/portal-access/access.ts';
import type { PortalDeps, Session } from '../../../faces/portal-access/session.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { addressBucket, RateLimiter } from '../../../platform/rate-limits/rate-limit.ts';
import { limitAttempts } from '../limit-attempts.ts';
import { signInOrigins, signInUrls } from './origins.ts';
import type { SignInChange } from './person-event.ts';
import { deleteReplacedSession, markProved } from './queries.ts';
import { recordSignInChange } from './record-sign-in-change.ts';

/** `tries`: limited for each client, because the call sends or tries a secret. */
type Limit = 'tries' | 'none';

/** The call starts a new session, or proves the second factor of the present one. */
type Outcome = 'replaced' | 'proved';

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
  /** The event in the person's log if a signed-in person's call succeeds. */
  change?: SignInChange;
  /** What success means for the session that the browser had. */
  outcome?: Outcome;
}[] = [
  { method: 'POST', path: '/email-otp/send-verification-otp', limit: 'tries', takes: ['email', 'type'] },
  { method: 'POST', path: '/sign-in/email-otp', limit: 'tries', takes: ['email', 'otp'], outcome: 'replaced' },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    limit: 'tries',
    takes: ['code'],
    change: 'authenticator_added',
    outcome: 'proved',
  },
  { method: 'POST', path: '/two-factor/verify-backup-code', limit: 'tries', takes: ['code'], outcome: 'proved' },
  { method: 'POST', path: '/two-factor/enable', limit: 'tries', needsFreshSession: true },
  {
    method: 'POST',
    path: '/two-factor/disable',
    limit: 'tries',
    needsFreshSession: true,
    change: 'authenticator_removed',
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', limit: 'tries' },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    limit: 'tries',
    takes: ['response'],
    outcome: 'replaced',
  },
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

/** For each client: a burst of ten, then one every ten seconds. */
const TRIES = { perSecond: 0.1, burst: 10 };

const tooMany = (wait: string) => `Too many attempts. Try again in ${wait}.`;

/** Passes the sign-in's calls on to `better-auth`. */
export function signInRoutes(portal: FastifyInstance, deps: PortalDeps): void {
  const perClient = new RateLimiter('sign-in-client', TRIES, deps.clock);

  for (const { method, path, limit, takes = [], needsFreshSession = false, change, outcome } of authCalls)
    portal.route({
      method,
      url: `/auth${path}`,
      config: { access: 'public', body: 'optional' },
      onRequest: async (request, reply) => {
        requireOwnOrigin(deps, request);
        requirePublicAddress(deps, request);
        if (limit === 'tries') limitAttempts(perClient, addressBucket(request.ip), tooMany);
        // At each call, so that an ended session is deleted before the library reads it.
        const session = await findSession(deps, request, reply);
        if (needsFreshSession) requireFreshSignIn(deps, session);
        request.portal = { session, member: undefined };
      },
      handler: async (request, reply) => {
        const { type } = (request.body ?? {}) as { type?: unknown };
        if (path.startsWith('/email-otp/') && type !== 'sign-in')
          throw new BestowError('parameter_invalid', {
            param: 'type',
            message: 'Only sign-in codes can be sent.',
          });
        const { session } = request.portal;
        const call = () => deps.signIn.handle(webRequest(deps, request, takes));
        const response =
          change === undefined || session === undefined
            ? await call()
            : await recordSignInChange(deps, session, request.ip, change, call);
        for (const [name, value] of response.headers)
          if (name !== 'set-cookie' && name.startsWith('content-type')) reply.header(name, value);
        const cookies = response.headers.getSetCookie();
        if (cookies.length > 0) reply.header('set-cookie', cookies);
        if (response.ok && session !== undefined) await settleSession(deps, session, outcome);
        const text = await response.text();
        if (!response.ok) request.errorCode = codeIn(text);
        return reply.code(response.status).send(text);
      },
    });
}

/** Explains what the library refuses: cookies and passkeys are for one address. @throws BestowError `foreign_origin` */
function requirePublicAddress(deps: Deps, { headers: { origin } }: FastifyRequest): void {
  const { publicUrl } = deps;
  if (origin === undefined || signInOrigins(signInUrls(deps)).includes(origin)) return;
  throw new BestowError('foreign_origin', {
    message: `Sign in at ${publicUrl()}/portal. If this address is the right one, the operator must set PUBLIC_URL to ${origin}.`,
  });
}

async function settleSession(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { sessionId, hasSecondFactor }: Session,
  outcome: Outcome | undefined,
): Promise<void> {
  if (outcome === 'replaced') await deleteReplacedSession(database.home, [sessionId]);
  // Without a second factor before, the call sets one up, which proves nothing.
  if (outcome === 'proved' && hasSecondFactor) await markProved(database.home, [sessionId, new Date(clock.now())]);
}

/** The library's error code, such as `INVALID_OTP`. */
const codeIn = (text: string) => /"code":"(\w+)"/.exec(text)?.[1];

/** NUL and half a character cannot be stored, and no field may have other control characters. */
const NOT_TEXT = /[\p{Cc}\p{Cs}]/u;

/** A replacer of `JSON.stringify`. @throws BestowError `parameter_invalid` */
function requireText(name: string, value: unknown): unknown {
  if (typeof value === 'string' && NOT_TEXT.test(value))
    throw new BestowError('parameter_invalid', {
      param: name,
      message: `${name} must have no control characters.`,
    });
  return value;
}

function webRequest(
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  request: FastifyRequest,
  takes: readonly string[],
): Request {
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
    ...(hasBody ? { body: JSON.stringify(body, requireText) } : {}),
  });
}
