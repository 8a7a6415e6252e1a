import type { PoolClient } from 'pg';
import { createKey, hashKey, keyHint } from '../../platform/authentication/key-format.ts';
import { type Actor, actorName } from '../../platform/base/actor.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { setFirstCaps } from '../caps/change-caps.ts';
import type { Deps } from '../deps.ts';
import { hasSandbox } from '../keys/issue-key.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { recordEvent } from './actions.ts';
import { type GrantLimits, type GrantTerms, MAX_ACTIVE_GRANTS } from './grant.ts';
import * as queries from './queries.ts';
import { requireLimits, requireTerms } from './require-terms.ts';

export interface NewGrant {
  /** `org_…`. */
  organizationId: string;
  environment: Environment;
  /** 1 to 200 characters. */
  name: string;
  terms: GrantTerms;
  limits: GrantLimits;
  /** From then on the token is refused; undefined: until it is revoked or its member leaves or may no longer change agents. */
  expiresAt: Date | undefined;
  actor: Actor;
}

/** `token` is the secret, shown only once: the database stores its hash. */
export interface CreatedGrant {
  grant_id: string;
  token: string;
  hint: string;
}

/** An assistant that a member signs in. Its name is what it says. */
interface Assistant {
  clientId: string;
  name: string;
}

interface Owner {
  organization_id: string;
  environment: Environment;
  grantId: string;
  actor: Actor;
}

type GrantDeps = Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>;

/**
 * Creates the grant of an agent with its first token, and emails every admin. A grant that a member makes ends with them.
 *
 * @throws OperatorError if the organization does not exist or has 50 active grants, or the terms or limits cannot be
 */
export async function createGrant(deps: GrantDeps, grant: NewGrant): Promise<CreatedGrant> {
  const { owner, made } = await addGrant(deps, grant, undefined, (client, of) => issueToken(client, deps, of));
  return { grant_id: encodeId('grant', owner.grantId), ...made };
}

/**
 * Creates the grant of an assistant that a member signs in; `renewToken` makes its tokens. Emails every admin.
 *
 * @returns UUIDs
 * @throws OperatorError as `createGrant`
 */
export async function connectGrant(
  deps: GrantDeps,
  { assistant, ...grant }: NewGrant & { assistant: Assistant },
): Promise<{ organizationId: string; grantId: string }> {
  const { owner } = await addGrant(deps, grant, assistant, async () => ({ client: assistant.name }));
  return { organizationId: owner.organization_id, grantId: owner.grantId };
}

/** @param make makes what the audit log notes of the grant: a token, of which it notes the hint, or the name of an assistant */
async function addGrant<Made extends { token: string; hint: string } | { client: string }>(
  deps: GrantDeps,
  { organizationId, environment, name, terms, limits, expiresAt, actor }: NewGrant,
  assistant: Assistant | undefined,
  make: (client: PoolClient, owner: Owner) => Promise<Made>,
): Promise<{ owner: Owner; made: Made }> {
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const now = new Date(deps.clock.now());
  requireLimits(limits);
  if (expiresAt !== undefined && !(expiresAt > now))
    throw new OperatorError('The grant would be expired already. Name a time in the future.');
  await requireTerms(deps, terms);
  const { ask_above, ...amounts } = limits;
  const owner = { organization_id, environment, grantId: deps.ids.next(), actor };
  return inOrganization(deps.database, organization_id, async (client) => {
    await lockOrganization(client, organization_id);
    await requireRoom(client, deps, owner);
    await queries.insertGrant(client, [
      organization_id,
      owner.grantId,
      environment,
      name,
      actor.kind === 'member' ? actor.memberId : null,
      actorName(actor),
      now,
      terms.permissions,
      terms.reach === 'all',
      terms.recipient_domains,
      terms.members_only,
      terms.categories,
      expiresAt ?? null,
      assistant?.clientId ?? null,
      assistant?.name ?? null,
      ask_above,
    ]);
    await setFirstCaps(client, {
      organizationId: organization_id,
      environment,
      holderId: owner.grantId,
      amounts,
    });
    const made = await make(client, owner);
    const noted = 'hint' in made ? { hint: made.hint } : { client: made.client };
    const event = { action: 'grant.created', details: { name, ...noted, ...terms, limits } } as const;
    const target = encodeId('grant', owner.grantId);
    await recordEvent(client, deps, actor, { organizationId: organization_id, environment, target, ...event });
    await alertAdmins(client, deps, { organization, change: 'grant_created', about: name, actor });
    return { owner, made };
  });
}

/** @throws OperatorError if there are 50 active grants, or the sandbox was deleted */
async function requireRoom(
  client: PoolClient,
  deps: GrantDeps,
  { organization_id, environment, actor }: Owner,
): Promise<void> {
  const organizationId = encodeId('org', organization_id);
  const [active] = await queries.countActiveGrants(client, [organization_id, new Date(deps.clock.now())]);
  if (active === undefined || active.count >= MAX_ACTIVE_GRANTS)
    throw new OperatorError(
      `${organizationId} already has ${MAX_ACTIVE_GRANTS} active grants, the maximum. Revoke one first.`,
    );
  if (environment === 'sandbox' && !(await hasSandbox(client, deps, { organizationId: organization_id, actor })))
    throw new OperatorError(`The sandbox was deleted. Create it with bestow sandbox create --org ${organizationId}.`);
}

/** Inserts a token of the grant in the caller's transaction. */
export async function issueToken(
  client: PoolClient,
  { ids, clock }: Pick<Deps, 'clock' | 'ids'>,
  { organization_id, environment, grantId, actor }: Owner,
): Promise<{ token: string; hint: string }> {
  const token = createKey(environment, organization_id, 'agent');
  const hint = keyHint(token);
  const made = [hashKey(token), hint, actorName(actor), new Date(clock.now())] as const;
  await queries.insertToken(client, [organization_id, ids.next(), grantId, ...made, null]);
  return { token, hint };
}
