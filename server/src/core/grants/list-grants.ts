import { encodeId } from '../../platform/base/ids.ts';
import { startsOf } from '../caps/window.ts';
import type { Deps } from '../deps.ts';
import { findOrganization } from '../organizations/find-organization.ts';
import type { GrantTerms } from './grant.ts';
import { type GrantRow, selectGrants } from './queries.ts';

type Limits = Record<Exclude<GrantRow['limits'][number]['period'], 'month'>, GrantLimit | null>;

/** In cents; `spent` in the window that has begun, and 0 for `order` and `recipient`. */
interface GrantLimit {
  cap: number;
  spent: number;
}

/** A grant as people see it; without its tokens. */
export interface ListedGrant
  extends GrantTerms,
    Pick<
      GrantRow,
      | 'environment'
      | 'name'
      | 'created_by'
      | 'created_at'
      | 'ask_above'
      | 'expires_at'
      | 'revoked_at'
      | 'client_name'
      | 'hint'
      | 'key_ids'
      | 'last_used_at'
    > {
  grant_id: string;
  limits: Limits;
  /** Neither revoked nor expired, and the member who made it is active and may change agents. */
  is_active: boolean;
}

/** Lists all grants of an organization, newest first, also those that ended. @throws OperatorError if it does not exist */
export async function listGrants(
  deps: Pick<Deps, 'database' | 'clock'>,
  organizationId: string,
): Promise<ListedGrant[]> {
  const { organization_id } = await findOrganization(deps, organizationId);
  const nowMs = deps.clock.now();
  const { hour, day } = startsOf(nowMs);
  const rows = await selectGrants(deps.database.read, [organization_id, hour, day]);
  return rows.map((row) => presentGrant(row, nowMs));
}

function presentGrant({ reaches_all, has_member, limits, ...row }: GrantRow, nowMs: number): ListedGrant {
  const limitOf = (asked: keyof Limits): GrantLimit | null => {
    const limit = limits.find(({ period }) => period === asked);
    return limit === undefined ? null : { cap: limit.cap_cents, spent: limit.spent_cents };
  };
  const isExpired = row.expires_at !== null && row.expires_at.getTime() <= nowMs;
  return {
    ...row,
    grant_id: encodeId('grant', row.grant_id),
    key_ids: row.key_ids.map((keyId) => encodeId('key', keyId)),
    reach: reaches_all ? 'all' : 'own',
    limits: {
      order: limitOf('order'),
      recipient: limitOf('recipient'),
      hour: limitOf('hour'),
      day: limitOf('day'),
      life: limitOf('life'),
    },
    is_active: row.revoked_at === null && !isExpired && has_member,
  };
}
