import { giftFacts, steeredFacts } from '../../../platform/events/gift-facts.ts';
import { insertDeliveries } from '../../delivery/statement-parts.ts';

// SQL about the gifts of an order, for the statements that place and complete it.

/** Gifts in JSON: the columns of the record, their names, and those of the record `g`. The sender's name needs a default. */
function giftsOf(columns: string) {
  const names = columns.split(',').map((column) => column.trim().split(' ', 1)[0]);
  return {
    columns: `${columns}, sender_name text`,
    names: names.join(', '),
    ofGift: names.map((name) => `g.${name}`).join(', '),
  };
}

const ORDERED = `gift_id uuid, position smallint, delivery_id uuid, amount_cents integer, category_id text,
  method delivery_method, address text, recipient_name text, message text, language text, external_id text, metadata jsonb`;

/** Gifts that begin as usual. */
export const usualGifts = giftsOf(ORDERED);
/** Gifts in any state. */
export const gifts =
  giftsOf(`${ORDERED}, delivery_state delivery_state, link_version smallint, link_expires_at timestamptz,
  opened_at timestamptz, claimed_at timestamptz, card_id uuid, spent_cents integer, scheduled_for timestamptz, is_waiting boolean`);

/** Inserts the message about each email or phone gift, from a query named `gift`. */
export const insertMessages = insertDeliveries('gift where delivery_id is not null', 'created_at');

/** Insert of gifts of an order. @param more further columns @param source query of all columns, with the order's first */
export const insertGifts = (more: string, source: string) =>
  `insert into gifts (organization_id, environment, order_id, grant_id, created_at, ${more})
    ${source}`;

export const returningGift = `returning organization_id, environment, order_id, gift_id, position, delivery_id, method, address,
      link_version, link_expires_at, delivery_state, opened_at, claimed_at, spent_cents, created_at, is_waiting`;

/** Query: the facts about new gifts, in their order. */
export const factsOfSteered = (gifts: string, at: string, position = '0') =>
  giftFacts(
    `(select * from ${gifts} where delivery_state <> 'pending')`,
    at,
    steeredFacts,
    `${position} + 10 * (g.position + 1)`,
  );
