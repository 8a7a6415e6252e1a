import type { ListOrders200ResponseOrdersInner, OrderWithoutLinkRewardsInner } from 'tremendous';
import { encodeId } from '../../../platform/base/ids.ts';
import { answerOf, type TremendousAccount, TremendousError } from './account.ts';

/** The only reward of an order. Tremendous also tells what may be chosen, which the client's type leaves out. */
type Reward = OrderWithoutLinkRewardsInner & { id: string };

/** The most that one answer lists. */
const PAGE = 500;

/** Returns the gift of an order's own number, as `gift_…`; undefined if the order is not ours. */
export const giftOf = ({ external_id }: { external_id?: string | null }): string | undefined =>
  /^(gift_[0-9a-z]+)-\d+$/.exec(external_id ?? '')?.[1];

/** @throws if there is not one */
export function rewardOf({ rewards = [] }: { rewards?: OrderWithoutLinkRewardsInner[] }): Reward {
  const [reward, another] = rewards;
  if (reward?.id === undefined || another !== undefined)
    throw new TremendousError('The order has not one reward.', 200);
  return { ...reward, id: reward.id };
}

/** Finds the order with our own number. */
export async function findOrder(
  { orders }: TremendousAccount,
  externalId: string,
  signal: AbortSignal,
): Promise<ListOrders200ResponseOrdersInner | undefined> {
  const answer = await answerOf(
    orders.listOrders(undefined, undefined, externalId, undefined, undefined, undefined, { signal }),
  );
  return listed(answer.orders).find(({ external_id }) => external_id === externalId);
}

/** Lists the orders of gifts that were placed since a time, newest first. An order may come twice. */
export async function* listOrders(
  { orders }: TremendousAccount,
  since: Date,
  signal: AbortSignal,
): AsyncGenerator<ListOrders200ResponseOrdersInner> {
  for (let offset = 0; ; ) {
    const { orders: page } = await answerOf(
      orders.listOrders(offset, undefined, undefined, since.toISOString(), undefined, PAGE, { signal }),
    );
    if (listed(page).length === 0) return;
    yield* page.filter((order) => giftOf(order) !== undefined);
    offset += page.length;
  }
}

/** An answer without a list is an error, not an empty list. */
function listed<Item>(items: Item[] | undefined): Item[] {
  if (!Array.isArray(items)) throw new TremendousError('Tremendous answered with no list.', 200);
  return items;
}

/** Our own number of a gift's order in a round of its claim. */
export const externalIdOf = (giftId: string, round: number): string => `${encodeId('gift', giftId)}-${round}`;
