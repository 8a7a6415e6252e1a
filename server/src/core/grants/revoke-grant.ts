import type { Actor } from '../../platform/base/actor.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Deps } from '../deps.ts';
import { alertAdmins } from '../organizations/alert-admins.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import { recordEvent } from './actions.ts';
import { type ListedGrant, listGrants } from './list-grants.ts';
import * as queries from './queries.ts';

interface Revocation {
  organizationId: string;
  grantId: string;
  actor: Actor;
  /** Why an assistant that a member signed in ended its grant: of `used_twice` all admins get an email. */
  reason?: 'signed_out' | 'used_twice';
}

/**
 * Revokes a grant permanently. Every process refuses its tokens from the next message on. Revoking it again changes nothing.
 *
 * @throws OperatorError if the organization or the grant does not exist
 */
export async function revokeGrant(
  deps: Pick<Deps, 'database' | 'clock' | 'ids' | 'tracer'>,
  { organizationId, grantId, actor, reason }: Revocation,
): Promise<ListedGrant> {
  const organization = await findOrganization(deps, organizationId);
  const { organization_id } = organization;
  const uuid = decodeId('grant', grantId);
  if (uuid !== undefined)
    await inOrganization(deps.database, organization_id, async (client) => {
      const [revoked] = await queries.revokeGrant(client, [organization_id, uuid, new Date(deps.clock.now())]);
      if (revoked === undefined) return;
      const { environment, name } = revoked;
      const event = { action: 'grant.revoked', target: grantId, details: { name, reason } } as const;
      await recordEvent(client, deps, actor, { organizationId: organization_id, environment, ...event });
      if (reason === 'used_twice')
        await alertAdmins(client, deps, { organization, change: 'grant_used_twice', about: name, actor });
    });
  const grant = (await listGrants(deps, organizationId)).find(({ grant_id }) => grant_id === grantId);
  if (grant === undefined) throw new OperatorError(`There is no grant ${grantId}.`);
  return grant;
}
