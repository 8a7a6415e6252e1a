import type { PoolClient } from 'pg';
import { recordEvent } from '../audit/record-event.ts';
import { createKey, hashKey, keyHint } from '../authentication/key-format.ts';
import { type Actor, actorName } from '../base/actor.ts';
import type { Environment } from '../base/environment.ts';
import { encodeId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { setFirstCaps } from '../caps/change-caps.ts';
import { inOrganization } from '../database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { hasSandbox } from '../keys/issue-key.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { type GrantLimits, type GrantTerms, MAX_ACTIVE_GRANTS } from './grant.ts';
import * as queries from './queries.ts';
import { requireLimits, requireTerms } from './require-terms.ts';

interface NewGrant {
  /** `org_…`. */
  organizationId: string;
  environment: Environment;
  /** 1 to 200 characters. */
  name: string;
  terms: GrantTerms;
  limits: GrantLimits;
  /** From then on the token is refused; undefined: until it is revoked or its member is no longer an active admin. */
  expiresAt: Date | undefined;
  actor: Actor;
}

/** `token` is the secret, shown only once: the database stores its hash. */
export interface CreatedGrant {
  grant_id: string;
  token: string;
  hint: string;
}

/**
 * Creates the grant of an agent with its first token, and emails every admin. A grant that a member makes ends with them.
 *
 * @throws OperatorError if the organization does not exist or has 50 active grants, or the terms or limits cannot be
 */
export async function createGrant(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId, environment, name, terms, limits, expiresAt, actor }: NewGrant,
): Promise<CreatedGrant> {
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const now = new Date(deps.clock.now());
  requireLimits(limits);
  if (expiresAt !== undefined && !(expiresAt > now))
    throw new OperatorError('The grant would be expired already. Name a time in the future.');
  await requireTerms(deps, terms);
  const { ask_above, ...amounts } = limits;
  const grantId = deps.ids.next();
  const create = async (client: PoolClient) => {
    await lockOrganization(client, organization_id);
    const [active] = await queries.countActiveGrants(client, [organization_id, now]);
    if (active === undefined || active.count >= MAX_ACTIVE_GRANTS)
      throw new OperatorError(
        `${organizationId} already has ${MAX_ACTIVE_GRANTS} active grants, the maximum. Revoke one first.`,
      );
    if (environment === 'sandbox' && !(await hasSandbox(client, deps, { organizationId: organization_id, actor })))
      throw new OperatorError(`The sandbox was deleted. Create it with bestow sandbox create --org ${organizationId}.`);
    await queries.insertGrant(client, [
      ...([organization_id, grantId, environment, name] as const),
      ...([actor.kind === 'member' ? actor.memberId : null, actorName(actor), now] as const),
      ...([terms.permissions, terms.reach === 'all', terms.recipient_domains, terms.members_only] as const),
      ...([terms.categories, expiresAt ?? null, ask_above] as const),
    ]);
    await setFirstCaps(client, { organizationId: organization_id, environment, holderId: grantId, amounts });
    const { token, hint } = await issueToken(client, deps, { organization_id, environment, grantId, actor });
    const target = encodeId('grant', grantId);
    const event = { action: 'grant.created', details: { name, hint, ...terms, limits } } as const;
    await recordEvent(client, deps, actor, { organizationId: organization_id, environment, target, ...event });
    await alertAdmins(client, deps, { organization, change: 'grant_created', about: name, actor });
    return { grant_id: target, token, hint };
  };
  return inOrganization(deps.database, organization_id, create);
}

/** Inserts a token of the grant in the caller's transaction. */
export async function issueToken(
  client: PoolClient,
  { ids, clock }: Pick<Deps, 'clock' | 'ids'>,
  {
    organization_id,
    environment,
    grantId,
    actor,
  }: { organization_id: string; environment: Environment; grantId: string; actor: Actor },
): Promise<{ token: string; hint: string }> {
  const token = createKey(environment, organization_id, 'agent');
  const hint = keyHint(token);
  const made = [hashKey(token), hint, actorName(actor), new Date(clock.now())] as const;
  await queries.insertToken(client, [organization_id, ids.next(), grantId, ...made]);
  return { token, hint };
}
