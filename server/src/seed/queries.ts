import { statement } from '../database/statement.ts';

/** Global by nature: checks whether this database was ever used. */
export const selectIsFirstRun = statement<[], { is_first_run: boolean }>(
  'organizations.select_is_first_run',
  'select not exists (select from organizations) and not exists (select from categories) as is_first_run',
);

/** Lets only one of several starting processes seed. */
export const lockSeeding = statement<[lockClass: number, lockNumber: number]>(
  'organizations.lock_seeding',
  'select pg_advisory_xact_lock($1, $2)',
);
