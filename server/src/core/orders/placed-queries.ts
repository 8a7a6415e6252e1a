import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { isInReach } from '../../platform/authentication/grant-rules.ts';
import { statement } from '../../platform/database/statement.ts';
import { ERASED_FINGERPRINT } from '../gifts/gift/address.ts';
import { salted } from './order-expressions.ts';

interface PlacedRow extends CallerRow {
  order_id: string | null;
  has_same_body: boolean;
}

/** The key's order, if it bought one. */
export const selectPlaced = statement<
  [...CallerParameters, idempotencyKey: string, fingerprint: Buffer | null],
  PlacedRow
>(
  'orders.select_placed',
  `with ${caller({ needs: 'order' })},
   asked as (select $5::bytea as fingerprint)
   select ${callerColumns}, o.order_id,
     coalesce(o.fingerprint in (asked.fingerprint, ${salted('o', 'asked')}, '${ERASED_FINGERPRINT}'), false) as has_same_body
   from caller cross join asked
   left join orders o on o.organization_id = $1 and o.environment = $2 and o.idempotency_key = $4
     and caller.caller_state = 'admitted' and ${isInReach('o')}`,
);
