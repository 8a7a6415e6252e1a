import type { FastifyReply, FastifyRequest } from 'fastify';
import { findMembership, type Membership } from '../../core/organizations/find-memberships.ts';
import type { Operation } from '../../platform/api/operation.ts';
import { isReading, lackOfRole, type MemberPermission } from '../../platform/authentication/permissions.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import type { PortalDeps, Session } from './session.ts';

/** A signed-in person as a member of the organization that the path names. */
export interface Member {
  membership: Membership;
  /** UUIDs. */
  organizationId: string;
  memberId: string;
  actor: Extract<Actor, { kind: 'member' }>;
}

type AccessDeps = Pick<PortalDeps, 'signIn' | 'database' | 'publicUrl' | 'clock'>;

export function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  // The client's address as the server sees it, not as the request claims.
  headers.set('x-bestow-client-address', request.ip);
  return headers;
}

/** Finds the session of the request's cookie. If this use extends the session, sets the new cookie. */
export async function findSession(
  { signIn }: Pick<PortalDeps, 'signIn'>,
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
 * Looks the membership up at each request, so that a deactivation or another role takes effect at once. A suspended
 * organization is read-only, except for operations that remove access. Unknown and foreign organizations get the same error.
 *
 * @throws BestowError `not_found`, `admin_required`, `second_factor_required`, `organization_suspended`
 */
export async function requireMember(
  deps: AccessDeps,
  request: FastifyRequest,
  session: Session,
  { needs = [], isPossibleWhileSuspended = false }: Pick<Operation, 'needs' | 'isPossibleWhileSuspended'>,
): Promise<Member> {
  const { organization_id: id } = request.params as { organization_id: string };
  const membership = await findMembership(deps, id, session.email);
  const organizationId = membership && decodeId('org', membership.organization_id);
  const memberId = membership && decodeId('mem', membership.member_id);
  if (membership === undefined || organizationId === undefined || memberId === undefined)
    throw new BestowError('not_found');
  const needed = [needs].flat();
  if (needed.length > 0 && !needed.some((one) => membership.permissions.includes(one)))
    throw new BestowError('admin_required', { message: lackOfRole(needed) });
  // What is not reading changes something or shows gift links.
  if (!isPossibleWhileSuspended && needed.some((one) => !isReading(one))) {
    if (membership.role !== 'member' && membership.requires_second_factor && !session.isTwoFactor)
      throw new BestowError('second_factor_required');
    if (membership.is_suspended) throw new BestowError('organization_suspended');
  }
  return {
    membership,
    organizationId,
    memberId,
    actor: { kind: 'member', memberId, email: membership.email, address: request.ip },
  };
}

/** Whether the member’s role includes whole names and addresses of recipients. */
export const seesPeople = ({ membership }: Member): boolean => membership.permissions.includes('people');

/** Requires what an operation needs beside its `needs`. @throws BestowError `admin_required` */
export function requirePermission({ membership }: Member, needed: MemberPermission): void {
  if (!membership.permissions.includes(needed))
    throw new BestowError('admin_required', { message: lackOfRole([needed]) });
}

/** @throws BestowError `admin_required` */
export const requirePeople = (member: Member): void => requirePermission(member, 'people');

const FRESH_MS = 10 * 60_000;

/**
 * Requires a sign-in or a second factor within ten minutes, so that an open or stolen session is not enough to stay or to
 * take value (ASVS 5.0, 7.5.1). Routes declare `needsFreshSignIn`.
 *
 * @throws BestowError `sign_in_required`, `sign_in_again`
 */
export function requireFreshSignIn(
  { clock }: Pick<AccessDeps, 'clock'>,
  session: Pick<Session, 'provedAt'> | undefined,
): void {
  if (session === undefined) throw new BestowError('sign_in_required');
  if (clock.now() - session.provedAt.getTime() > FRESH_MS) throw new BestowError('sign_in_again');
}

/**
 * Requires that a request that changes something comes from the portal's own pages. A request without an origin is refused.
 *
 * @throws BestowError `foreign_origin`
 */
export function requireOwnOrigin(
  { publicUrl }: Pick<AccessDeps, 'publicUrl'>,
  { headers, method }: FastifyRequest,
): void {
  if (method === 'GET' || method === 'HEAD') return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined ? site === 'same-origin' : isOwn(origin, host, publicUrl())) return;
  throw new BestowError('foreign_origin');
}

const isOwn = (origin: string | undefined, host: string | undefined, publicUrl: string) =>
  origin !== undefined &&
  URL.canParse(origin) &&
  (origin === new URL(publicUrl).origin || new URL(origin).host === host);
