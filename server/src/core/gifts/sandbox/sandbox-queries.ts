import { statement } from '../../../platform/database/statement.ts';

export const deleteGifts = statement<[organizationId: string], { count: number }>(
  'sandbox.delete_gifts',
  `with deleted as (delete from gifts where organization_id = $1 and environment = 'sandbox' returning 1)
   select count(*) as count from deleted`,
);
