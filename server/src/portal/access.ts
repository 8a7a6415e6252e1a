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
  // The client's address as the door believes it, whatever the request says.
  headers.set('x-bestow-client-address', request.ip);
  return headers;
}

/** Whose session the request's cookie is; where this use prolongs it, the browser is told so. */
export async function findSession(
  { signIn }: Pick<Deps, 'signIn'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  const session = await signIn.findSession(webHeaders(request));
  if (session !== undefined && session.prolongedCookies.length > 0)
    reply.header('set-cookie', session.prolongedCookies);
  return session;
}

/** @throws BestowError `sign_in_required` */
export async function requireSession(deps: AccessDeps, request: FastifyRequest, reply: FastifyReply): Promise<Session> {
  const session = await findSession(deps, request, reply);
  if (session === undefined) throw new BestowError('sign_in_required');
  return session;
}

/**
 * The person's membership now: whoever was deactivated is a stranger from the next request on, and an organization that is
 * suspended can only be read, but for what takes power away. Another organization and one that does not exist are answered alike.
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
  // What is for admins is all that changes something, and the links of gifts.
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
 * Whatever changes something must come from the portal's own pages: browsers say where a call comes from, and a call that
 * says nothing is refused.
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
