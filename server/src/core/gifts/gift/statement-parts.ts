import { columnsOf } from './field.ts';
import { fieldsOfGift } from './gift-fields.ts';

// Parts of statements of other folders that change gifts: the statement has locked them.

/** Update of gifts of `$1` whose latest messages arrived. @param deliveries CTE of what arrived */
export const deliverGifts = (deliveries: string) =>
  `update gifts g set delivery_state = 'delivered' from ${deliveries} d
     where g.organization_id = $1 and g.environment = d.environment and g.gift_id = d.gift_id
       and g.delivery_id = d.delivery_id and g.delivery_state = 'pending' and g.canceled_at is null
     returning g.*`;

/**
 * Update of gifts of `$1` whose messages failed. @param failures query of `fails`, whether the latest did, and `never_left`,
 * how many redirects no provider accepted
 */
export const failGifts = (failures: string) =>
  `update gifts g
     set delivery_state = case when d.fails then 'failed' else g.delivery_state end,
       redirect_count = greatest(g.redirect_count - d.never_left, 0)
     from (
       ${failures}
     ) d
     where g.organization_id = $1 and g.environment = d.environment and g.gift_id = d.gift_id
       and (d.fails or d.never_left > 0)
     returning g.*, d.fails`;

/** Update that spends the amounts of purchases. @param purchases CTE */
export const spendGifts = (purchases: string) =>
  `update gifts g set spent_cents = spent_cents + p.amount_cents from ${purchases} p
     where g.organization_id = p.organization_id and g.environment = p.environment and g.gift_id = p.gift_id`;

/** Update of the gift `$1`, `$2`, `$3` to what its card has spent, at most its value. @param sums CTE of one row */
export const setSpent = (sums: string) =>
  `update gifts g set spent_cents = least(g.amount_cents, greatest(0, s.captured_cents - s.refunded_cents)) from ${sums} s
     where g.organization_id = $1 and g.environment = $2 and g.gift_id = $3
     returning g.*`;

/** Update that makes a browser the holder of the gifts `p` of `$1`. @param gifts what follows `from` */
export const setHolder = (holderHash: string, gifts: string) =>
  `update gifts g set holder_hash = ${holderHash} from ${gifts} p
   where g.organization_id = $1 and g.environment = p.environment and g.gift_id = p.gift_id
   returning g.gift_id`;

/** What of a gift is erased with its recipient, as the first columns of an update. */
export const eraseWords = `update gifts g
     set ${columnsOf(fieldsOfGift, 'isErased')
       .map((column) => `${column} = null`)
       .join(', ')}`;
