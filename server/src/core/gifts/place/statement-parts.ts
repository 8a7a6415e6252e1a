import { giftFacts, steeredFacts } from '../../../platform/events/gift-facts.ts';
import { insertDeliveries } from '../../delivery/statement-parts.ts';
import type { Field } from '../gift/field.ts';
import { fieldsOfGift } from '../gift/gift-fields.ts';

// SQL about the gifts of an order, for the statements that place and complete it.

/** Gifts in JSON: the columns of the record, their names, and those of the record `g`. The sender's name needs a default. */
function giftsOf(...placed: Field['placed'][]) {
  const fields = fieldsOfGift.filter((field) => field.of !== undefined && placed.includes(field.placed));
  const names = fields.map(({ column }) => column);
  return {
    columns: `${fields.map(({ column, of }) => `${column} ${of?.sql}`).join(', ')}, sender_name text`,
    names: names.join(', '),
    ofGift: names.map((name) => `g.${name}`).join(', '),
  };
}

/** Gifts that begin as usual. */
export const usualGifts = giftsOf('usual');
/** Gifts in any state. */
export const gifts = giftsOf('usual', 'any', 'state');
/** Gifts of which nothing has happened. */
export const pendingGifts = giftsOf('usual', 'any');

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
