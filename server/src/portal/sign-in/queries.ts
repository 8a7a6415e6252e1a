import { statement } from '../../database/statement.ts';

/** Of requests at once with one code, also at several processes, one gets the row; nothing is returned to the others. */
export const claimStep = statement<[authenticatorId: string, step: number], { id: string }>(
  'authenticators.claim_step',
  `update portal.two_factors set last_used_step = $2
   where id = $1 and (last_used_step is null or last_used_step < $2)
   returning id`,
);
