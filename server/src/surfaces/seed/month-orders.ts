import { startBatch } from '../../capabilities/gift-batches/start-batch.ts';
import { createBatch, storeRows } from '../../capabilities/gift-batches/store-rows.ts';
import type { GiftInputBody } from '../../core/gifts/gift/schema.ts';
import { holdGift } from '../../core/gifts/hold/hold-gift.ts';
import type { OrderInputBody } from '../../core/orders/schema.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { decodeId, encodeId } from '../../platform/base/ids.ts';
import { environments, type Month, type OrderedGift, order, scopeOf } from './month.ts';
import * as data from './month-data.ts';
import { bounce, claim, DAY_MS, HOUR_MS, MINUTE_MS, open, planFate, sendToAnother, spend } from './month-gifts.ts';

const { pick } = data;
const DAYS = 29;
/** Gifts of the first order expire 30 days later, at the end of a day. */
const LEAD_DAYS = 4;
/** From the first order to now. */
export const MONTH_MS = (DAYS + LEAD_DAYS) * DAY_MS;

/** Gift number n of an environment: each part of it has its own table. */
function giftOf(number: number): GiftInputBody {
  const name = pick(data.people, number);
  const message = number % 3 === 0 ? { message: pick(data.messages, number) } : {};
  return {
    amount: pick(data.amountsCents, number),
    category: pick(data.categories, number),
    delivery: deliveryOf(name, number),
    personalization: { recipient_name: name, ...message },
  };
}

function deliveryOf(name: string, number: number): GiftInputBody['delivery'] {
  if (number % 6 === 5) return { method: 'link' };
  if (number % 6 === 2) return { method: 'phone', phone: data.phoneOf(number) };
  return { method: 'email', email: data.emailOf(name, number) };
}

const giftsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => giftOf(first + index));

/** Every fourth order is one of an accounting system. */
const referencesOf = (number: number): Pick<OrderInputBody, 'external_id' | 'metadata'> =>
  number % 4 === 3 ? { external_id: `PO-${4_000 + number}`, metadata: { team: pick(data.teams, number) } } : {};

/** Plans the orders of the month and what happens to their gifts. */
export function planOrders(month: Month, startMs: number): void {
  for (let day = 0; day < DAYS; day += 1)
    for (const environment of environments) {
      const orders = environment === 'live' ? 1 + ((day * 7) % 4) : (day * 5) % 3;
      for (let n = 0; n < orders; n += 1)
        month.agenda.plan(startMs + (LEAD_DAYS + day) * DAY_MS + (1 + n * 5) * HOUR_MS, () =>
          orderSome(month, environment, 1 + ((day + n) % 3)),
        );
    }
}

async function orderSome(month: Month, environment: Environment, count: number): Promise<void> {
  const number = month.orders[environment];
  const gifts = giftsFrom(month.gifts[environment], count);
  const by = number % 5 === 4 ? 'admin' : 'program';
  const placed = await order(month, environment, { gifts, ...referencesOf(number) }, by);
  for (const gift of placed.gifts) planFate(month, gift, pick(data.fates, gift.number));
}

/** An order whose gifts expire unclaimed, except one. */
export async function orderExpiring(month: Month, environment: Environment): Promise<void> {
  const { gifts } = await order(month, environment, { gifts: giftsFrom(month.gifts[environment], 3) });
  for (const [index, gift] of gifts.entries())
    planFate(month, gift, pick(['unopened', 'spent', 'opened'] as const, index));
}

export interface Story {
  /** `gift_…`; it bounced, was sent to another address, opened, claimed and partly spent. */
  giftId: string;
  /** `ord_…` */
  orderId: string;
}

/** Orders a gift to which everything happens, beginning with a failed delivery. */
export async function orderStory(month: Month, environment: Environment): Promise<Story> {
  const { agenda } = month;
  const story = await order(month, environment, {
    gifts: [
      {
        amount: 7_500,
        category: 'books',
        delivery: { method: 'email', email: 'ada@old-job.example' },
        personalization: { recipient_name: 'Ada Lovelace', sender_name: 'Charles Babbage' },
      },
    ],
  });
  const [gift] = story.gifts as [OrderedGift];
  agenda.after(2 * MINUTE_MS, () => bounce(month, gift));
  agenda.after(49 * MINUTE_MS, () => sendToAnother(month, gift, 'ada@acme.example'));
  agenda.after(62 * MINUTE_MS, () => open(month, gift));
  agenda.after(63 * MINUTE_MS, () => claim(month, gift));
  agenda.after(250 * MINUTE_MS, () => spend(month, gift, 'part'));
  return { giftId: encodeId('gift', gift.giftId), orderId: story.orderId };
}

/** A gift of a link on hold. */
export async function orderHeld(month: Month, environment: Environment): Promise<void> {
  const gift = { ...giftOf(0), delivery: { method: 'link' } as const };
  const { gifts } = await order(month, environment, { gifts: [gift] });
  for (const { scope, giftId } of gifts)
    month.agenda.after(2 * HOUR_MS, () => holdGift(month.deps, { scope, giftId, actor: month.admin }));
}

/** A gift that is sent later. Live, it is on hold, so that it leaves only if an admin releases it. */
export async function orderScheduled(month: Month, environment: Environment, afterMs: number, isHeld: boolean) {
  const { deps, admin, gifts: counts } = month;
  const email = data.emailOf(pick(data.people, counts[environment]), 0);
  const sendAt = new Date(deps.clock.now() + afterMs).toISOString();
  const gift: GiftInputBody = { ...giftOf(counts[environment]), delivery: { method: 'email', email }, send_at: sendAt };
  const { gifts } = await order(month, environment, { gifts: [gift] });
  for (const { scope, giftId } of isHeld ? gifts : []) await holdGift(deps, { scope, giftId, actor: admin });
}

/** An order of the sandbox whose gifts a worker creates; without one it stays `processing`. */
export async function orderProcessing(month: Month): Promise<void> {
  const email = `processing@${month.deps.config.sandboxMailDomain}`;
  await order(month, 'sandbox', { gifts: [{ ...giftOf(1), delivery: { method: 'email', email } }] });
}

/** A file of ten gifts, two of which are refused: their time passed before the file was sent. */
export async function sendFile(month: Month, environment: Environment): Promise<void> {
  const { deps, agenda, admin } = month;
  const scope = scopeOf(month, environment);
  const gifts = data.people.slice(0, 10).map((name, index): GiftInputBody => {
    const email = data.emailOf(name, index + 2);
    const late = index % 5 === 4 ? { send_at: new Date(deps.clock.now() + HOUR_MS).toISOString() } : {};
    const personalization = { recipient_name: name, message: 'Thank you for a good year.' };
    return { amount: 2_500, category: 'coffee', delivery: { method: 'email', email }, personalization, ...late };
  });
  const file = { formId: deps.ids.next(), name: 'Thanks to the team.csv', rows: gifts.length, actor: admin };
  const batchId = decodeId('batch', await createBatch(deps, scope, file)) ?? '';
  await storeRows(deps, scope, batchId, { firstRow: 1, gifts });
  const amountCents = gifts.reduce((sum, { amount }) => sum + amount, 0);
  agenda.after(2 * HOUR_MS, () =>
    startBatch(deps, scope, { batchId, actor: admin, amountCents, acceptsDuplicates: true }),
  );
}
