import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../base/actor.ts';
import { decodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { BestowError } from '../errors.ts';
import { findMemberships, type Membership } from '../organizations/find-memberships.ts';
import type { Session } from './sign-in/sign-in.ts';

/** A signed-in person as a member of the organization that the path names. */
export interface Member {
  membership: Membership;
  /** UUIDs. */
  organizationId: string;
  memberId: string;
  actor: Actor;
}

type AccessDeps = Pick<Deps, 'signIn' | 'database' | 'publicUrl'>;

export function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  // The client's address as the server sees it, not as the request claims.
  headers.set('x-bestow-client-address', request.ip);
  return headers;
}

/** Finds the session of the request's cookie. If this use extends the session, sets the new cookie. */
export async function findSession(
  { signIn }: Pick<Deps, 'signIn'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  const session = await signIn.findSession(webHeaders(request));
  if (session !== undefined && session.extendedCookies.length > 0) reply.header('set-cookie', session.extendedCookies);
  return session;
}

/** @throws BestowError `sign_in_required` */
export async function requireSession(deps: AccessDeps, request: FastifyRequest, reply: FastifyReply): Promise<Session> {
  const session = await findSession(deps, request, reply);
  if (session === undefined) throw new BestowError('sign_in_required');
  return session;
}

/**
 * Looks the membership up at each request, so that a deactivation takes effect at once. A suspended organization is
 * read-only, except for operations that remove access. Unknown and foreign organizations get the same error.
 *
 * @throws BestowError `sign_in_required`, `not_found`, `admin_required`
 * @throws BestowError `organization_suspended`
 */
export async function requireMember(
  deps: AccessDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  by: 'member' | 'admin',
  isPossibleWhileSuspended: boolean,
): Promise<Member> {
  const session = await requireSession(deps, request, reply);
  const { organization_id: id } = request.params as { organization_id: string };
  const membership = (await findMemberships(deps, session.email)).find(({ organization_id }) => organization_id === id);
  const organizationId = membership && decodeId('org', membership.organization_id);
  const memberId = membership && decodeId('mem', membership.member_id);
  if (membership === undefined || organizationId === undefined || memberId === undefined)
    throw new BestowError('not_found');
  if (by === 'admin' && membership.role !== 'admin') throw new BestowError('admin_required');
  // Admin operations change something or show gift links.
  if (by === 'admin' && membership.is_suspended && !isPossibleWhileSuspended)
    throw new BestowError('organization_suspended');
  return {
    membership,
    organizationId,
    memberId,
    actor: { kind: 'member', memberId, email: membership.email, address: request.ip },
  };
}

/**
 * Requires that a request that changes something comes from the portal's own pages. A request without an origin is refused.
 *
 * @throws BestowError `foreign_origin`
 */
export function requireOwnOrigin({ publicUrl }: AccessDeps, { headers, method }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD') return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined ? site === 'same-origin' : isOwn(origin, host, publicUrl())) return;
  throw new BestowError('foreign_origin');
}

const isOwn = (origin: string | undefined, host: string | undefined, publicUrl: string) =>
  origin !== undefined &&
  URL.canParse(origin) &&
  (origin === new URL(publicUrl).origin || new URL(origin).host === host);
