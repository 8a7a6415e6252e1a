import { dateOf } from 'bestow-readers/time.ts';
import type { Environment } from '../../../platform/base/environment.ts';
import { BestowError } from '../../../platform/base/errors.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import type { Scope } from '../../../platform/base/principal.ts';
import { findCard } from '../../cards/find-card.ts';
import { listPurchases } from '../../cards/list-purchases.ts';
import { listDeliveries } from '../../delivery/list-deliveries.ts';
import type { GiftDelivery } from '../../delivery/message-queries.ts';
import type { Deps } from '../../deps.ts';
import { readHistories } from '../expand/expand-gifts.ts';
import { presentMessage } from '../expand/present-message.ts';
import type { GiftHistoryBody } from '../gift/expansion-schema.ts';
import type { GiftPage } from '../gift/portal-schema.ts';
import { redirectability } from './redirectability.ts';
import { resendRefusal } from './resendability.ts';
import { type GiftDetailRow, selectGiftDetail } from './search-queries.ts';
import { giftSimulations } from './simulations.ts';
import { detailsOf, summarizeGift } from './summarize-gift.ts';

type GiftEvent = GiftPage['timeline'][number];

/** Returns one gift with what happened to it. @param giftId UUID @throws BestowError `resource_missing` */
export async function showGiftPage(
  deps: Pick<Deps, 'clock' | 'config' | 'database'>,
  scope: Scope,
  giftId: string,
): Promise<GiftPage> {
  const [[gift], histories, deliveries, card] = await Promise.all([
    selectGiftDetail(deps.database.pool, [scope.organizationId, scope.environment, giftId]),
    readHistories(deps, scope, [giftId]),
    listDeliveries(deps, scope, giftId),
    findCard(deps, scope, giftId),
  ]);
  const history = histories.get(giftId);
  if (gift === undefined || history === undefined) throw new BestowError('resource_missing');
  const purchases = card === undefined ? undefined : await listPurchases(deps, card);
  const spent = (purchases?.latest ?? []).map(
    ({ amount_cents, merchant, created_at }): GiftEvent => ({
      kind: 'spent',
      at: created_at,
      amount: amount_cents,
      merchant,
    }),
  );
  return {
    gift: {
      ...summarizeGift(gift),
      ...detailsOf(gift),
      spent_amount_not_listed: purchases?.earlierCents ?? 0,
      card_reopened_until:
        (gift.card_reopened_until?.getTime() ?? 0) > deps.clock.now() ? gift.card_reopened_until : null,
    },
    history,
    timeline: inOrder([
      ...lifeOf(gift, history),
      ...deliveries.map((one) => deliveryEvent(scope.environment, one)),
      ...spent.reverse(),
    ]),
    redirect: redirectability(gift, deps.config.resendLimit),
    resend_refusal: resendRefusal(gift, deps.config.resendLimit),
    simulations: scope.environment === 'sandbox' ? giftSimulations(gift) : null,
  };
}

function lifeOf(
  { claimed_at, card_id, canceled_at, cancel_reason, amount_cents, thanks, thanked_at }: GiftDetailRow,
  history: GiftHistoryBody,
): GiftEvent[] {
  const steps = [
    ['ordered', history.ordered_at],
    ['opened', history.opened_at],
    ['declined', history.declined_at],
    ['held', history.held_since],
    ['erased', history.erased_at],
  ] as const;
  return [
    ...steps.flatMap(([kind, at]): GiftEvent[] => (at === null ? [] : [{ kind, at: dateOf(at) }])),
    ...(claimed_at === null || card_id === null
      ? []
      : [{ kind: 'claimed', at: claimed_at, card_id: encodeId('card', card_id) } as const]),
    ...(canceled_at === null
      ? []
      : [{ kind: 'canceled', at: canceled_at, reason: cancel_reason, refunded: amount_cents } as const]),
    ...(thanked_at === null ? [] : [{ kind: 'thanked', at: thanked_at, note: thanks } as const]),
  ];
}

const deliveryEvent = (environment: Environment, { number, ...message }: GiftDelivery): GiftEvent => ({
  kind: 'delivery',
  at: message.created_at,
  number,
  ...presentMessage(environment, message),
});

/** Orders events of the same millisecond, as the sandbox creates them. */
const precedence: readonly GiftEvent['kind'][] = [
  'ordered',
  'delivery',
  'opened',
  'declined',
  'claimed',
  'canceled',
  'spent',
  'thanked',
  'held',
  'erased',
];

const inOrder = (events: GiftEvent[]) =>
  events.sort((a, b) => a.at.getTime() - b.at.getTime() || precedence.indexOf(a.kind) - precedence.indexOf(b.kind));
