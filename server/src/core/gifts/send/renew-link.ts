import type { PoolClient } from 'pg';
import { admitted } from '../../../platform/authentication/caller.ts';
import { DAY_MS } from '../../../platform/base/id-time.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../../platform/database/connections.ts';
import { inOrganization } from '../../../platform/database/in-organization.ts';
import type { Queryable } from '../../../platform/database/statement.ts';
import type { Deps } from '../../deps.ts';
import { ERASED_ADDRESS } from '../gift/address.ts';
import { lockGift } from '../gift/lock-gift.ts';
import type { GiftRow } from '../gift/queries.ts';
import * as queries from './renew-queries.ts';

/** A gift with the link that has expired. */
type ExpiredLink = Pick<GiftRow, 'gift_id' | 'method' | 'address' | 'delivery_state' | 'link_version'> & {
  scope: Scope;
};

const HOUR_MS = 3_600_000;
const MOST_A_DAY = 5;

/**
 * Whether a new link can be sent. `sent`: one was sent within the last hour; `exhausted`: five within a day; `impossible`:
 * the gift has no address, or its latest message failed.
 */
type Renewability = 'possible' | 'sent' | 'exhausted' | 'impossible';

export function renewability(deps: Pick<Deps, 'clock' | 'database'>, gift: ExpiredLink): Promise<Renewability> {
  return decide(deps.database.read, deps.clock.now(), gift);
}

async function decide(database: Queryable, nowMs: number, gift: ExpiredLink): Promise<Renewability> {
  if (gift.method === 'link' || gift.address === ERASED_ADDRESS || gift.delivery_state === 'failed')
    return 'impossible';
  const { organizationId, environment } = gift.scope;
  const since = [new Date(nowMs - HOUR_MS), new Date(nowMs - DAY_MS)] as const;
  const one = [organizationId, environment, gift.gift_id] as const;
  const [sent] = await queries.countRenewals(database, [...one, gift.link_version, ...since]);
  if (sent === undefined || sent.has_failed === true) return 'impossible';
  if (sent.since > 0) return 'sent';
  return sent.also_since >= MOST_A_DAY ? 'exhausted' : 'possible';
}

/**
 * Sends a new link to the gift's address, at most once an hour and five times a day; otherwise does nothing. Concurrent
 * requests send one link.
 *
 * @throws BestowError `resource_locked`
 */
export async function renewLink(
  deps: Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'tracer'>,
  gift: ExpiredLink,
): Promise<void> {
  const { organizationId, environment } = gift.scope;
  const one = [organizationId, environment, gift.gift_id] as const;
  const nowMs = deps.clock.now();
  const renew = async (client: PoolClient) => {
    await lockGift(client, admitted(gift.scope), gift.gift_id);
    if ((await decide(client, nowMs, gift)) !== 'possible') return;
    const deliveryId = deps.ids.next();
    const expiresAt = new Date(nowMs + deps.config.linkTtlMs);
    await queries.renewLink(client, [
      ...one,
      gift.link_version,
      deliveryId,
      expiresAt,
      new Date(nowMs),
      ERASED_ADDRESS,
      deps.tracer?.current(),
    ]);
  };
  await inOrganization(deps.database, organizationId, renew, { lockWaitMs: LOCK_TIMEOUT_MS });
}
