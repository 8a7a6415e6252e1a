import { giftFacts, steeredFacts } from '../../../platform/events/gift-facts.ts';

// SQL about the gifts of an order, for the statements that place and complete it.

export const giftColumns = `gift_id uuid, position smallint, delivery_id uuid, amount_cents integer, category_id text,
  method delivery_method, address text, delivery_state delivery_state, recipient_name text, sender_name text,
  message text, language text, link_version smallint, link_expires_at timestamptz, opened_at timestamptz, claimed_at timestamptz, card_id uuid,
  spent_cents integer, external_id text, metadata jsonb`;

export const giftNames = `gift_id, position, delivery_id, amount_cents, category_id, method, address, delivery_state,
  recipient_name, message, language, link_version, link_expires_at, opened_at, claimed_at, card_id, spent_cents,
  external_id, metadata`;

export const ofGift = giftNames.replace(/\w+/g, 'g.$&');

/** The columns of gifts that an order schedules. */
export const scheduled = {
  columns: ', scheduled_for timestamptz, is_waiting boolean',
  names: ', scheduled_for, is_waiting',
  ofGift: ', g.scheduled_for, g.is_waiting',
};
export const unscheduled: typeof scheduled = { columns: '', names: '', ofGift: '' };

/** Inserts the message about each email or phone gift, from a query named `gift`. */
export const insertDeliveries = `insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address,
      link_version, link_expires_at, state, created_at)
    select organization_id, environment, gift_id, delivery_id, method::text::delivery_channel, address, link_version,
      link_expires_at, delivery_state::text::delivery_progress, created_at
    from gift where delivery_id is not null`;

export const returningGift = `returning organization_id, environment, order_id, gift_id, position, delivery_id, method, address,
      link_version, link_expires_at, delivery_state, opened_at, claimed_at, spent_cents, created_at`;

/** Query: the facts about new gifts, in their order. */
export const factsOfSteered = (gifts: string, at: string, position = '0') =>
  giftFacts(
    `(select * from ${gifts} where delivery_state <> 'pending')`,
    at,
    steeredFacts,
    `${position} + 10 * (g.position + 1)`,
  );
