import { isOnHold } from './held.ts';

/** What happened to a gift, in one word, with its meaning. The order is that of the life of a gift. */
export const giftStates = {
  waiting: 'it waits for its time',
  sending: 'its message is on its way to a mail or text message provider',
  sent: 'a provider accepted its message, or the outbox keeps it as none is configured, or its link was handed to you',
  delivered: 'its message arrived',
  failed: 'its message could not be delivered',
  opened: 'the recipient opened it',
  declined: 'the recipient said that they do not want it; they can still claim it',
  claimed: 'it was redeemed onto a card, of which nothing is spent',
  partly_spent: 'a part of the card is spent',
  spent: 'the whole card is spent',
  on_hold: 'it cannot be claimed, and its card cannot be seen',
  canceled: 'it is void, and its value is back in the balance',
  expired: 'it was not claimed in time, and its value is back in the balance',
} as const;

export type GiftHistoryState = keyof typeof giftStates;

interface StateOf {
  /** Expression; `$1` without it. */
  organizationId?: string;
  /** Expression: the state of the gift's latest message. */
  progress: string;
}

/**
 * SQL: the state of a gift. It has expired if it was canceled because its time was over, not by someone who gave that word as
 * a reason. In the sandbox, where nothing is sent, every message counts as accepted.
 *
 * @param g table or alias
 */
export const giftState = (g: string, { organizationId = '$1', progress }: StateOf) => `case
       when ${g}.canceled_at is not null then case
         when ${g}.cancel_reason = 'expired' and ${g}.expires_at <= ${g}.canceled_at then 'expired' else 'canceled' end
       when ${isOnHold(g, organizationId)} then 'on_hold'
       when ${g}.claimed_at is not null then case ${g}.spent_cents
         when 0 then 'claimed' when ${g}.amount_cents then 'spent' else 'partly_spent' end
       when ${g}.declined_at is not null then 'declined'
       when ${g}.opened_at is not null then 'opened'
       when ${g}.delivery_state = 'failed' then 'failed'
       when ${g}.is_waiting then 'waiting'
       when ${g}.delivery_state = 'delivered' then 'delivered'
       when ${g}.delivery_state = 'pending' and ${g}.environment = 'live' and ${progress} = 'pending' then 'sending'
       else 'sent'
     end`;

/** When a delivered message arrived. In the sandbox it may have arrived with its order. */
export const ARRIVED = 'case when settled_at is null then created_at else settled_at end';

/** When a message about the gift arrived, of several the latest; null if none did. */
export const deliveredAt = (gift: string) => `(
         select max(${ARRIVED}) from deliveries
         where organization_id = ${gift}.organization_id and environment = ${gift}.environment and gift_id = ${gift}.gift_id
           and state = 'delivered'
       )`;
