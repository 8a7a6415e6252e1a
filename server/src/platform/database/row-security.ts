import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { statementOfNone } from './statement.ts';

interface RowSecurityRow {
  /** Whether lists can use their index: with a policy, PostgreSQL uses an index only for leakproof comparisons. */
  is_leakproof: boolean;
  is_superuser: boolean;
  /** Tables of organizations whose policy is not applied. */
  open_tables: string[];
}

export const selectRowSecurity = statementOfNone<[], RowSecurityRow>(
  'database.select_row_security',
  `select
     (select bool_and(proleakproof) from pg_proc
       where oid in ('enum_eq(anyenum, anyenum)'::regprocedure, 'lower(text)'::regprocedure)) as is_leakproof,
     (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
     array(select c.relname::text from pg_policy p join pg_class c on c.oid = p.polrelid
       where p.polname = 'organizations' and not c.relrowsecurity order by 1) as open_tables`,
);

/**
 * Turns row security on. Before that, the equality of enums and `lower`, which finds recipients, must be declared leakproof.
 * They are: their errors name no value of a row. Only a superuser may declare it; until then row security stays off.
 *
 * @param client the tables' owner
 * @param tableWaitMs until the wait for a table fails with SQLSTATE 55P03
 */
export async function applyRowSecurity(client: Client, tableWaitMs: number): Promise<void> {
  const [found] = await selectRowSecurity(client, []);
  if (found === undefined) return;
  if (!found.is_leakproof) {
    if (!found.is_superuser) return;
    await client.query(
      `alter function pg_catalog.enum_eq(anyenum, anyenum) leakproof; alter function pg_catalog.lower(text) leakproof`,
    );
  }
  for (const name of found.open_tables)
    await client.query(
      `begin; set local lock_timeout = ${tableWaitMs};
       alter table ${escapeIdentifier(name)} enable row level security; commit`,
    );
}
