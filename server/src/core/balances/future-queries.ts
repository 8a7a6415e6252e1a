import { idAt } from '../../platform/database/id-at.ts';
import { statementOnEachShard } from '../../platform/database/statement.ts';

/** Balances whose latest order has an id of more than a minute from now, by PostgreSQL's clock. */
export const selectDatedAhead = statementOnEachShard<[], { balances: number; last_id: string }>(
  'balances.select_dated_ahead',
  'a check of the whole installation',
  `select (count(*) over ())::integer as balances, last_id from balances
   where last_id > ${idAt(`(clock_timestamp() + interval '1 minute')`)} order by last_id desc limit 1`,
);
