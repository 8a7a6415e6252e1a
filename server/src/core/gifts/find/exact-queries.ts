import type { Environment } from '../../../platform/base/environment.ts';
import { foldAddress } from '../../../platform/database/folding.ts';
import { statement } from '../../../platform/database/statement.ts';

/** Whether there are gifts with this whole address or external id, of any age. `senders`: null for those of anyone. */
export const selectExact = statement<
  [
    organizationId: string,
    environment: Environment,
    address: string | null,
    externalId: string,
    senders: readonly string[] | null,
  ],
  { is_address: boolean; is_external_id: boolean }
>(
  'gifts.select_exact',
  // Its order makes PostgreSQL use the index also of a value that many gifts have.
  `select (
     select gift_id from gifts where organization_id = $1 and environment = $2 and ${foldAddress('address')} = $3
       and ($5::uuid[] is null or sender_member_id = any ($5))
     order by gift_id limit 1
   ) is not null as is_address, (
     select gift_id from gifts where organization_id = $1 and environment = $2 and external_id = $4
       and ($5::uuid[] is null or sender_member_id = any ($5))
     order by gift_id limit 1
   ) is not null as is_external_id`,
);
