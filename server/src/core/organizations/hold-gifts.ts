import type { PoolClient } from 'pg';
import type { Actor } from '../../platform/base/actor.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { recordEvent } from './actions.ts';
import { findOrganization } from './find-organization.ts';
import { type PresentedOrganization, presentOrganization } from './present-organization.ts';
import * as queries from './queries.ts';

type HoldDeps = Pick<Deps, 'database' | 'clock' | 'ids'>;

/**
 * Holds all unclaimed gifts of an organization, live and sandbox: from the return on, no one can claim them or get new
 * links, and its orders are refused. Holding again keeps the first timestamp.
 *
 * @throws OperatorError if the organization does not exist
 */
export const holdGifts = (deps: HoldDeps, input: { organizationId: string; actor: Actor }) =>
  change(deps, input, holdGiftsWithin);

/** Ends the hold of an organization's gifts; gifts that are held one by one stay on hold. @throws OperatorError as above */
export const releaseGifts = (deps: HoldDeps, input: { organizationId: string; actor: Actor }) =>
  change(deps, input, releaseGiftsWithin);

/** The same in the caller's transaction, whose other locks come first. @param organizationId UUID */
export async function holdGiftsWithin(client: PoolClient, deps: HoldDeps, organizationId: string, actor: Actor) {
  const now = new Date(deps.clock.now());
  const [held] = await queries.holdGifts(client, [organizationId, now]);
  if (held === undefined) return;
  await recordEvent(client, deps, actor, { organizationId, action: 'gifts.held', details: {} });
  await queries.appendEvent(client, [organizationId, 'organization.gifts_held', now]);
}

/** The same in the caller's transaction, whose other locks come first. @param organizationId UUID */
export async function releaseGiftsWithin(client: PoolClient, deps: HoldDeps, organizationId: string, actor: Actor) {
  const [released] = await queries.releaseGifts(client, [organizationId]);
  if (released === undefined) return;
  await recordEvent(client, deps, actor, { organizationId, action: 'gifts.released', details: {} });
  await queries.appendEvent(client, [organizationId, 'organization.gifts_released', new Date(deps.clock.now())]);
}

async function change(
  deps: HoldDeps,
  { organizationId: id, actor }: { organizationId: string; actor: Actor },
  act: typeof holdGiftsWithin,
): Promise<PresentedOrganization> {
  const { organization_id } = await findOrganization(deps, id);
  return inOrganization(deps.database, organization_id, async (client) => {
    await act(client, deps, organization_id, actor);
    const [organization] = await queries.selectOrganization(client, [organization_id]);
    return presentOrganization(organization as queries.OrganizationRow);
  });
}
