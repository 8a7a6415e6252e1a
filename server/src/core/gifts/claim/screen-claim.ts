import type { PoolClient } from 'pg';
import type { Caller } from '../../../platform/authentication/caller.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import type { Deps } from '../../deps.ts';
import type { Entered } from '../../issuer/port.ts';
import type { Screening } from '../../issuer/screening.ts';
import { queueNotices } from '../../notices/queue-notices.ts';
import { listAdminAddresses } from '../../organizations/list-admin-addresses.ts';
import type { GiftRow } from '../gift/queries.ts';
import { requireGift } from '../gift/retrieve-gift.ts';
import { holdGift } from '../hold/hold-gift.ts';
import { ClaimRefused } from './claim-refused.ts';
import * as queries from './screening-queries.ts';

export type ScreenDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'log'> & Partial<Pick<Deps, 'tracer'>>;

interface ScreenedClaim {
  caller: Caller;
  gift: GiftRow;
  entered: Entered | undefined;
  /** ISO 3166, of the addresses that the issuer takes. */
  country: string | undefined;
}

/** Longer than the service may take to answer and the claim to begin. */
const LEASE_MS = 20_000;

/**
 * Claims a gift if the operator's screening service allows it. If the service says so, puts it on hold instead and emails the
 * admins. Without an answer nothing is claimed. One claim of a gift is screened at a time, so that none goes on beside one
 * that is held.
 *
 * @throws BestowError `gift_on_hold`; ClaimRefused; and the errors of `claim`
 */
export async function screenClaim<Claimed>(
  deps: ScreenDeps & { screening: Screening },
  { caller, gift, entered, country }: ScreenedClaim,
  claim: () => Promise<Claimed>,
): Promise<Claimed> {
  const { clock, config, database, log, screening } = deps;
  const one = [caller.organizationId, caller.environment, gift.gift_id] as const;
  const nowMs = clock.now();
  const until = new Date(nowMs + LEASE_MS);
  const [leased] = await queries.leaseScreening(database.change, [...one, new Date(nowMs), until]);
  if (leased === undefined) throw await reasonOf(deps, caller, gift.gift_id);
  try {
    const decision = await screening
      .ask({
        gift_id: encodeId('gift', gift.gift_id),
        organization_id: encodeId('org', caller.organizationId),
        amount: gift.amount_cents,
        currency: config.currency,
        category: gift.chosen_category_id ?? gift.category_id,
        entered: entered?.fields ?? null,
        country: entered?.fields['country'] ?? country ?? null,
      })
      .catch((error) => {
        log.error({ err: error }, 'The screening service did not decide, so a gift was not claimed.');
        throw new ClaimRefused('Your gift cannot be claimed right now. It is safe: please come back later.', 503);
      });
    if (decision === 'allow') return await claim();
    await hold(deps, caller, gift);
    throw new BestowError('gift_on_hold');
  } finally {
    await queries.endScreening(database.change, [...one, until]);
  }
}

async function reasonOf(deps: ScreenDeps, caller: Caller, giftId: string): Promise<Error> {
  const { claimed_at, canceled_at } = await requireGift(deps, caller, giftId);
  if (canceled_at !== null) return new BestowError('gift_canceled');
  if (claimed_at !== null) return new BestowError('gift_already_redeemed');
  return new ClaimRefused('Your gift is being checked. Please try again in a moment.', 503);
}

const hold = (deps: ScreenDeps, scope: Scope, gift: GiftRow): Promise<void> =>
  holdGift(deps, {
    scope,
    giftId: gift.gift_id,
    reason: 'screening',
    actor: { kind: 'operator', name: 'screening', address: 'the claim' },
    alongside: (client) => emailAdmins(client, deps, scope, gift),
  });

async function emailAdmins(client: PoolClient, deps: ScreenDeps, { organizationId }: Scope, gift: GiftRow) {
  const [organization] = await queries.selectOrganizationName(client, [organizationId]);
  await queueNotices(
    client,
    { ...deps, tracer: deps.tracer },
    {
      organizationId,
      recipients: await listAdminAddresses(client, organizationId),
      notice: {
        kind: 'gift_held',
        details: {
          organization_name: organization?.name ?? '',
          organization_id: encodeId('org', organizationId),
          gift_id: encodeId('gift', gift.gift_id),
          amount_cents: gift.amount_cents,
        },
      },
    },
  );
}
