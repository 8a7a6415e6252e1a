import { eraseProofs } from '../../core/card-proofs/statement-parts.ts';
import { eraseDeliveries } from '../../core/delivery/statement-parts.ts';
import { ERASED_ADDRESS } from '../../core/gifts/gift/address.ts';
import { eraseWords } from '../../core/gifts/gift/statement-parts.ts';
import { forgetRecipients } from '../../core/orders/statement-parts.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

const DAILY = 'once a day looks at every organization';

const sameGift = (other: string) =>
  `${other}.organization_id = g.organization_id and ${other}.environment = g.environment and ${other}.gift_id = g.gift_id`;

/** Condition: the gift was canceled or fully spent by a time, and something of a person is left on it. */
const isOver = (before: string) => `(
       g.canceled_at <= ${before}
       or g.claimed_at <= ${before} and g.spent_cents = g.amount_cents
         and not exists (select from card_purchases p where ${sameGift('p')} and p.created_at > ${before})
         and not exists (select from card_facts f where ${sameGift('f')} and f.at > ${before})
     ) and (
       g.address <> '${ERASED_ADDRESS}' or g.recipient_name is not null or g.message is not null
       or g.metadata is not null or g.thanks is not null
       or exists (select from card_proofs c where ${sameGift('c')} and c.holder_address is not null)
       or exists (select from deliveries d where ${sameGift('d')} and d.address <> '${ERASED_ADDRESS}')
     )`;

/** When a server was last finished; null before the first time. */
export const selectRetentionProgress = statementOnEachShard<[], { finished_at: Date | null }>(
  'retention.select_progress',
  DAILY,
  'select max(finished_at) as finished_at from retention_progress',
);

export const setRetentionProgress = statementOnEachShard<[finishedAt: Date]>(
  'retention.set_progress',
  DAILY,
  `insert into retention_progress (finished_at) values ($1)
   on conflict (is_only) do update set finished_at = excluded.finished_at`,
);

/** Scans the gifts, because an index would slow every purchase. */
export const selectOver = statementOnEachShard<
  [before: Date, limit: number],
  { organization_id: string; environment: Environment; gift_id: string }
>(
  'retention.select_over',
  DAILY,
  `select g.organization_id, g.environment, g.gift_id from gifts g where ${isOver('$1')} limit $2`,
);

/**
 * Erases name, addresses and metadata of gifts that are still over, and what their orders' fingerprints would tell. The
 * metadata of an order stays until every gift of it is canceled or spent.
 */
export const eraseOver = statement<
  [
    organizationId: string,
    environment: Environment,
    giftIds: readonly string[],
    before: Date,
    reason: string,
    now: Date,
  ],
  { gifts: number }
>(
  'retention.erase_over',
  `with gift as materialized (
     select g.environment, g.gift_id, g.order_id from gifts g
     where g.organization_id = $1 and g.environment = $2 and g.gift_id = any ($3::uuid[]) and ${isOver('$4')}
     order by g.gift_id
     for no key update of g
   ), forgotten as (
     ${forgetRecipients(
       'select environment, order_id from gift',
       `case when exists (
         select from gifts other
         where other.organization_id = $1 and other.environment = o.environment and other.order_id = o.order_id
           and other.canceled_at is null and other.spent_cents < other.amount_cents) then o.metadata end`,
     )}
   ), delivery as (
     ${eraseDeliveries({
       address: `'${ERASED_ADDRESS}'`,
       reason: '$5',
       now: '$6',
       condition: `d.address <> '${ERASED_ADDRESS}'`,
     })}
   ), proof as (
     ${eraseProofs('gift')}
   ), erased as (
     ${eraseWords}, thanks = null,
       external_id = case when strpos(${foldAddress('g.external_id')}, ${foldAddress('g.address')}) > 0 then null else g.external_id end,
       address = case when g.address is not null then '${ERASED_ADDRESS}' end,
       erased_at = case when g.address is not null and g.erased_at is null then $6 else g.erased_at end
     from gift f
     where g.organization_id = $1 and g.environment = f.environment and g.gift_id = f.gift_id
     returning 1
   )
   select count(*)::integer as gifts from erased`,
);
