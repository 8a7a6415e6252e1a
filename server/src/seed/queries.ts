import { sessionStatement, statementOnEachShard } from '../database/statement.ts';

export const selectIsFirstRun = statementOnEachShard<[], { is_first_run: boolean }>(
  'organizations.select_is_first_run',
  'asks whether there is any organization at all',
  'select not exists (select from organizations) and not exists (select from categories) as is_first_run',
);

/** Lets only one of several starting processes seed. */
export const lockSeeding = sessionStatement<[lockClass: number, lockNumber: number]>(
  'organizations.lock_seeding',
  'select pg_advisory_xact_lock($1, $2)',
);
