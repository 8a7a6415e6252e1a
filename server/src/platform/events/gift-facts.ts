import type { EventType } from './event-types.ts';

/** A fact about a gift, as SQL on the gift's row `g` after the change. */
interface GiftFact {
  type: EventType;
  /** Condition. */
  when: string;
  /** The changed part as JSON. */
  data: string;
}

/** Of the current message; the address itself can be erased. */
const delivery = (status: string) => `jsonb_build_object('delivery', jsonb_build_object('status', ${status}))`;

/** The status that `/v1` shows. */
const shownStatus = `case when g.claimed_at is not null then 'claimed' when g.opened_at is not null then 'opened'
    when g.delivery_state = 'failed' then 'failed' else 'sent' end`;

const withShownStatus = delivery(shownStatus);

/** @param when condition: the message is the gift's latest */
export const sent = (when: string): GiftFact => ({ type: 'gift.sent', when, data: withShownStatus });

/** @param reason the gift goes to another address, or to the same one with a new link or once more */
export const redirected = (reason: 'redirected' | 'link_replaced' | 'resent'): GiftFact => ({
  type: 'gift.redirected',
  when: 'true',
  data: `jsonb_build_object('reason', '${reason}') || ${delivery(`case when g.opened_at is not null then 'opened' else 'sent' end`)}`,
});

/** @param opened condition: the gift was opened before its message arrived, by an earlier link */
export const delivered = (when: string, opened = 'false'): GiftFact => ({
  type: 'gift.delivered',
  when,
  data: delivery(`case when ${opened} then 'opened' else 'sent' end`),
});
/** An opened gift stays opened, although a later message failed. */
export const deliveryFailed = (when: string): GiftFact => ({
  type: 'gift.delivery_failed',
  when: `${when} and g.opened_at is null`,
  data: withShownStatus,
});
export const opened = (when: string): GiftFact => ({ type: 'gift.opened', when, data: delivery(`'opened'`) });
export const claimed = (when: string): GiftFact => ({ type: 'gift.claimed', when, data: delivery(`'claimed'`) });
/** @param amountCents expression */
export const spent = (when: string, amountCents: string, leftCents: string): GiftFact => ({
  type: 'gift.spent',
  when,
  data: `jsonb_build_object('purchase', jsonb_build_object('amount', ${amountCents}, 'amount_left', ${leftCents}))`,
});

/** Without the note, which an erasure deletes. */
export const thanked: GiftFact = { type: 'gift.thanked', when: 'true', data: `'{}'::jsonb` };

export const held: GiftFact = { type: 'gift.held', when: 'true', data: `'{}'::jsonb` };
export const released: GiftFact = { type: 'gift.released', when: 'true', data: `'{}'::jsonb` };

/** The recipient may still claim it. */
export const declined: GiftFact = { type: 'gift.declined', when: 'true', data: withShownStatus };

/** What a steering address made of a new gift. */
export const steeredFacts: readonly GiftFact[] = [
  delivered(`g.delivery_state = 'delivered'`),
  deliveryFailed(`g.delivery_state = 'failed'`),
  opened('g.opened_at is not null'),
  claimed('g.claimed_at is not null'),
  spent('g.spent_cents > 0', 'g.spent_cents', '0'),
];

/**
 * Query for `appendEvents`: the facts about each gift, in the given order.
 *
 * @param gifts query or CTE of gifts, with their organization, environment and order
 * @param at expression of the time
 * @param position expression: the first fact's
 */
export const giftFacts = (gifts: string, at: string, facts: readonly GiftFact[], position = '0') =>
  `select g.organization_id, g.environment, f.type, g.order_id, g.gift_id, f.data, ${at} as created_at,
       ${position} + f.step as position
     from ${gifts} g
     cross join lateral (values ${facts
       .map(({ type, when, data }, step) => `(${step}, '${type}', ${when}, ${data})`)
       .join(',\n       ')}) as f (step, type, applies, data)
     where f.applies`;

/**
 * Query for `appendEvents`: the ends of agents' requests.
 *
 * @param ended CTE or table of requests that ended
 */
export const factsOfEnded = (ended: string, condition = 'true'): string =>
  `select r.organization_id, r.environment, 'order_request.' || r.state as type, r.order_id, null::uuid as gift_id,
       jsonb_build_object('order_request_id', r.request_id) as data, r.decided_at as created_at,
       row_number() over (order by r.request_id) as position
     from ${ended} r where r.grant_id is not null and ${condition}`;
