import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { LOCK_TIMEOUT_MS } from '../../platform/database/connections.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { isLanguage } from '../../platform/languages/languages.ts';
import type { Deps } from '../deps.ts';
import { ERASED_ADDRESS } from '../gifts/gift/address.ts';
import { mailLanguage } from '../notices/notice.ts';
import { queueNotices } from '../notices/queue-notices.ts';
import { recordEvent } from './actions.ts';
import * as queries from './queries.ts';

const REOPENED_HOURS = 24;
const HOUR_MS = 3_600_000;

/**
 * Lets the next browser that opens the link of a claimed gift take its card over, once within a day; the browser of before
 * then no longer shows the number. Tells the gift's address, or that of a link gift's holder. Doing it again begins a new day.
 *
 * @param input.giftId UUID
 * @returns until when
 * @throws BestowError `resource_missing`, `gift_not_claimed`, `gift_on_hold`
 */
export async function reopenCard(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'tracer'>,
  { scope, giftId, actor }: { scope: Scope; giftId: string; actor: Actor },
): Promise<Date> {
  const { organizationId, environment } = scope;
  const one = [organizationId, environment, giftId] as const;
  const until = new Date(deps.clock.now() + REOPENED_HOURS * HOUR_MS);
  await inOrganization(
    deps.database,
    organizationId,
    async (client) => {
      const [gift] = await queries.reopenCard(client, [...one, until]);
      if (gift === undefined) throw refusal((await queries.selectReopenable(client, [...one]))[0]);
      await recordEvent(client, deps, actor, {
        organizationId,
        environment,
        action: 'gift.card_reopened',
        target: encodeId('gift', giftId),
        details: {},
      });
      const { method } = gift;
      const address = method === 'link' ? gift.holder_address : gift.address;
      const language = gift.language ?? gift.organization_language;
      // The sandbox sends nothing.
      if (environment !== 'live' || address === null || address === ERASED_ADDRESS) return;
      await queueNotices(client, deps, {
        organizationId,
        recipients: [address],
        notice: {
          kind: 'card_reopened',
          details: {
            hours: REOPENED_HOURS,
            channel: method === 'phone' ? 'phone' : 'email',
            ...(language !== null && isLanguage(language) && mailLanguage(language)),
          },
        },
      });
    },
    { lockWaitMs: LOCK_TIMEOUT_MS },
  );
  return until;
}

function refusal(gift: { is_claimed: boolean; is_held: boolean } | undefined): BestowError {
  if (gift === undefined) return new BestowError('resource_missing');
  if (gift.is_held) return new BestowError('gift_on_hold');
  return new BestowError('gift_not_claimed', {
    message: 'This gift is not claimed yet, so no browser has its card. Its link still works.',
  });
}
