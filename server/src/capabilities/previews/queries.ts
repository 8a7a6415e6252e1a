import type { OrderInputBody } from '../../core/orders/schema.ts';
import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';

// A preview belongs to the key that made it and to those that replace this key.

const ofKey = caller({ needs: 'order', columns: 'coalesce(k.first_key_id, k.key_id) as first_key_id,' });

export const insertPreview = statement<
  [...CallerParameters, token: string, purchase: string, expiresAt: Date],
  CallerRow
>(
  'previewed_orders.insert',
  `with ${ofKey}, kept as (
     insert into previewed_orders (organization_id, environment, token, first_key_id, purchase, expires_at)
     select $1, $2, $4, first_key_id, $5::jsonb, $6 from caller where caller_state = 'admitted'
   )
   select ${callerColumns} from caller`,
);

type FoundRow = CallerRow & ({ purchase: OrderInputBody; expires_at: Date } | { purchase: null; expires_at: null });

export const selectPreview = statement<[...CallerParameters, token: string], FoundRow>(
  'previewed_orders.select_of_key',
  `with ${ofKey}
   select ${callerColumns}, p.purchase, p.expires_at
   from caller left join previewed_orders p on p.organization_id = $1 and p.environment = $2 and p.token = $4
     and p.first_key_id = caller.first_key_id and caller.caller_state = 'admitted'`,
);

export const deletePreviewsBefore = statementOnEachShard<[expiredBefore: Date]>(
  'previewed_orders.delete_before',
  'previews of every organization are deleted a day after they expired',
  'delete from previewed_orders where expires_at < $1',
);

/** Deletes every preview that has the address anywhere, also in a message. @param address in lower case */
export const deletePreviewsWith = statement<[organizationId: string, address: string]>(
  'previewed_orders.delete_of_recipient',
  `delete from previewed_orders
   where organization_id = $1 and environment in ('live', 'sandbox') and strpos(${foldAddress('purchase::text')}, $2) > 0`,
);

export const deletePreviewsOf = statement<[organizationId: string]>(
  'sandbox.delete_previews',
  `delete from previewed_orders where organization_id = $1 and environment = 'sandbox'`,
);
