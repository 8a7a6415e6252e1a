import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { sandboxLocked } from '../../platform/authentication/sandbox-locked.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { giftFacts, spent } from '../../platform/events/gift-facts.ts';
import { spendGifts } from '../gifts/gift/statement-parts.ts';
import { type IssuedCardColumns, issuedCardColumns } from './issued-card.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

interface CardRow extends IssuedCardColumns {
  card_id: string;
  amount_cents: number;
  spent_cents: number;
  claimed_at: Date;
}

export const selectCard = statement<One, CardRow>(
  'cards.select',
  `select g.card_id, g.amount_cents, g.spent_cents, g.claimed_at, ${issuedCardColumns}
   from gifts g left join cards k
     on k.organization_id = g.organization_id and k.environment = g.environment and k.gift_id = g.gift_id
   where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3 and g.claimed_at is not null`,
);

/** Replaces what opens a card. */
export const replaceSealed = statement<[...One, issuerId: string, providerId: string | null, sealed: string]>(
  'cards.replace_sealed',
  `update cards set sealed = $6
   where organization_id = $1 and environment = $2 and gift_id = $3 and issuer_id = $4 and provider_id = $5`,
);

/** Returns the organization that owns a sandbox gift. */
export const selectSandboxGiftOwner = statementOnEachShard<[giftId: string], { organization_id: string }>(
  'cards.select_sandbox_gift_owner',
  'the operator names a gift by its id alone',
  // Joined from organizations, because a gift's primary key begins with its organization.
  `select o.organization_id from organizations o
   join gifts g on g.organization_id = o.organization_id and g.environment = 'sandbox' and g.gift_id = $1`,
);

/**
 * Records a purchase if enough is left on the card and its gift is not on hold, or of the rest if no amount is given. The
 * amount is null if not recorded.
 *
 * The gift's lock comes first and re-reads the rest, so concurrent purchases never spend the same money. `on conflict`
 * ignores a purchase recorded before.
 */
export const insertPurchase = statement<
  [...CallerParameters, giftId: string, purchaseId: string, merchant: string, amountCents: number | null, now: Date],
  CallerRow & { amount_cents: number | null }
>(
  'cards.insert_purchase',
  `with ${caller({ states: sandboxLocked })}, gift as materialized (
     select organization_id, environment, order_id, gift_id, amount_cents - spent_cents as left_cents from gifts
     where organization_id = $1 and environment = $2 and gift_id = $4 and claimed_at is not null and held_at is null
       and (select caller_state from caller) = 'admitted'
     for update
   ), purchase as (
     insert into card_purchases (organization_id, environment, gift_id, purchase_id, merchant, amount_cents, created_at)
     select organization_id, environment, gift_id, $5, $6, coalesce($7, left_cents), $8 from gift
     where coalesce($7, left_cents) between 1 and left_cents
     on conflict do nothing
     returning *
   ), spent as (
     ${spendGifts('purchase')}
   ), ${appendEvents(
     giftFacts('(select gift.*, p.amount_cents from gift join purchase p using (gift_id))', '$8::timestamptz', [
       spent('true', 'g.amount_cents', 'g.left_cents - g.amount_cents'),
     ]),
   )}
   select ${callerColumns}, p.amount_cents from caller left join purchase p on true`,
);

export const selectPurchaseExists = statement<[...One, purchaseId: string], { purchase_id: string }>(
  'cards.exists_purchase',
  `select purchase_id from card_purchases
   where organization_id = $1 and environment = $2 and gift_id = $3 and purchase_id = $4`,
);

export interface PurchaseRow {
  merchant: string;
  /** Negative for a refund. */
  amount_cents: number;
  created_at: Date;
}

export const selectPurchases = statement<[...One, limit: number], PurchaseRow>(
  'cards.list_purchases',
  `select merchant, amount_cents, created_at from (
     select merchant, amount_cents, created_at, purchase_id::text as id from card_purchases
     where organization_id = $1 and environment = $2 and gift_id = $3
     union all
     select merchant, case kind when 'captured' then amount_cents else -amount_cents end, at, fact_id from card_facts
     where organization_id = $1 and environment = $2 and gift_id = $3 and kind in ('captured', 'refunded')
   ) p order by created_at desc, id desc limit $4`,
);
