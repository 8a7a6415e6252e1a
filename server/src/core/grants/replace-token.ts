import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { MAX_OVERLAP_HOURS } from '../keys/roll-key.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { recordEvent } from './actions.ts';
import { type CreatedGrant, issueToken } from './create-grant.ts';
import * as queries from './queries.ts';

const HOUR_MS = 3_600_000;

/**
 * Gives a grant another token and emails every admin. The grant stays as it is, with what was spent; earlier tokens expire
 * after the overlap.
 *
 * @throws OperatorError if the organization or an active grant with this id does not exist
 */
export async function replaceToken(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  {
    organizationId,
    grantId,
    overlapHours,
    actor,
  }: { organizationId: string; grantId: string; overlapHours: number; actor: Actor },
): Promise<CreatedGrant> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS)
    throw new OperatorError(`The overlap must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}.`);
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const uuid = decodeId('grant', grantId);
  const nowMs = deps.clock.now();
  return inOrganization(deps.database, organization_id, async (client) => {
    const [grant] =
      uuid === undefined ? [] : await queries.lockActiveGrant(client, [organization_id, uuid, new Date(nowMs)]);
    if (grant === undefined) throw new OperatorError(`There is no active grant ${grantId}.`);
    const { environment, name, client_name } = grant;
    if (client_name !== null)
      throw new OperatorError('This agent gets its tokens by signing in. Revoke its grant and connect it again.');
    await queries.expireTokens(client, [organization_id, grant.grant_id, new Date(nowMs + overlapHours * HOUR_MS)]);
    const owner = { organization_id, environment, grantId: grant.grant_id, actor };
    const { token, hint } = await issueToken(client, deps, owner);
    await recordEvent(client, deps, actor, {
      organizationId: organization_id,
      environment,
      action: 'grant.token_replaced',
      target: grantId,
      details: { name, hint, overlap_hours: overlapHours },
    });
    await alertAdmins(client, deps, { organization, change: 'grant_token_replaced', about: name, actor });
    return { grant_id: grantId, token, hint };
  });
}
