import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import { ERASED_FINGERPRINT } from '../gifts/gift/address.ts';

/**
 * Erases gifts that a `processing` order has not created yet. They are created as failed, so that no message is sent. Waits
 * for an order that is being completed; the next statement erases its gifts.
 */
export const erasePendingGifts = statement<
  [organizationId: string, address: string, placeholder: string],
  { orders: number }
>(
  'erasure.erase_pending_gifts',
  `with changed as (
     update orders o
     set fingerprint = '${ERASED_FINGERPRINT}', metadata = null, pending_gifts = (
       select jsonb_agg(
         case when ${foldAddress("p.gift ->> 'address'")} = $2
           then p.gift - 'metadata' - 'language' - case when strpos(${foldAddress("p.gift ->> 'external_id'")}, $2) > 0 then 'external_id' else '' end
             || jsonb_build_object('address', $3::text, 'recipient_name', null, 'message', null, 'is_waiting', null, 'delivery_state',
             case when p.gift ->> 'claimed_at' is null then 'failed' else p.gift ->> 'delivery_state' end)
           else p.gift end
         order by p.position)
       from jsonb_array_elements(o.pending_gifts) with ordinality as p (gift, position)
     )
     where o.organization_id = $1 and o.pending_gifts is not null
       and exists (
         select from jsonb_array_elements(o.pending_gifts) as p (gift) where ${foldAddress("p.gift ->> 'address'")} = $2)
     returning 1
   )
   select count(*) as orders from changed`,
);

export const countKeysWith = statement<[organizationId: string, address: string], { keys: number }>(
  'erasure.count_keys_with',
  `select count(*) as keys from orders
   where organization_id = $1 and (strpos(${foldAddress('idempotency_key')}, $2) > 0 or strpos(${foldAddress('external_id')}, $2) > 0)`,
);
