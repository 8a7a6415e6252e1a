import type { Environment } from '../base/environment.ts';
import { statement } from '../database/statement.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

interface CardRow {
  card_id: string;
  amount_cents: number;
  spent_cents: number;
  claimed_at: Date;
}

export const selectCard = statement<One, CardRow>(
  'cards.select',
  `select card_id, amount_cents, spent_cents, claimed_at from gifts
   where organization_id = $1 and environment = $2 and gift_id = $3 and claimed_at is not null`,
);

/** Returns the organization that owns a sandbox gift. */
export const selectSandboxGiftOwner = statement<[giftId: string], { organization_id: string }>(
  'cards.select_sandbox_gift_owner',
  // Joined from organizations, because a gift's primary key begins with its organization.
  `select o.organization_id from organizations o
   join gifts g on g.organization_id = o.organization_id and g.environment = 'sandbox' and g.gift_id = $1`,
);

/**
 * Records a purchase if enough is left on the card, or of the rest if no amount is given. Returns a row if recorded.
 *
 * The gift's lock comes first and re-reads the rest, so concurrent purchases never spend the same money. `on conflict`
 * ignores a purchase recorded before.
 */
export const insertPurchase = statement<
  [...One, purchaseId: string, merchant: string, amountCents: number | null, now: Date],
  { amount_cents: number }
>(
  'cards.insert_purchase',
  `with gift as materialized (
     select organization_id, environment, gift_id, amount_cents - spent_cents as left_cents from gifts
     where organization_id = $1 and environment = $2 and gift_id = $3 and claimed_at is not null
     for update
   ), purchase as (
     insert into card_purchases (organization_id, environment, gift_id, purchase_id, merchant, amount_cents, created_at)
     select organization_id, environment, gift_id, $4, $5, coalesce($6, left_cents), $7 from gift
     where coalesce($6, left_cents) between 1 and left_cents
     on conflict do nothing
     returning *
   ), spent as (
     update gifts g set spent_cents = spent_cents + p.amount_cents from purchase p
     where g.organization_id = p.organization_id and g.environment = p.environment and g.gift_id = p.gift_id
   )
   select amount_cents from purchase`,
);

export const selectPurchaseExists = statement<[...One, purchaseId: string], { purchase_id: string }>(
  'cards.exists_purchase',
  `select purchase_id from card_purchases
   where organization_id = $1 and environment = $2 and gift_id = $3 and purchase_id = $4`,
);

export interface PurchaseRow {
  merchant: string;
  amount_cents: number;
  created_at: Date;
}

export const selectPurchases = statement<[...One, limit: number], PurchaseRow>(
  'cards.list_purchases',
  `select merchant, amount_cents, created_at from card_purchases
   where organization_id = $1 and environment = $2 and gift_id = $3
   order by created_at desc, purchase_id desc limit $4`,
);
