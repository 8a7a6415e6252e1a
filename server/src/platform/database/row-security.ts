import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { statementOfNone } from './statement.ts';

interface RowSecurityRow {
  /** Tables of organizations without a view of their rows, or whose view lacks columns. */
  unlimited_tables: string[];
  /** Tables of organizations whose policy is not applied. */
  open_tables: string[];
}

export const selectRowSecurity = statementOfNone<[], RowSecurityRow>(
  'database.select_row_security',
  `with tables as (
     select c.relname::text as name, c.relrowsecurity as is_closed,
       array(select attname from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by 1) =
       array(select a.attname from pg_attribute a join pg_class v on v.oid = a.attrelid
         join pg_namespace n on n.oid = v.relnamespace
         where n.nspname = 'limited' and v.relname = c.relname and a.attnum > 0 order by 1) as is_limited
     from pg_policy p join pg_class c on c.oid = p.polrelid where p.polname = 'organizations'
   )
   select array(select name from tables where not is_limited order by 1) as unlimited_tables,
     array(select name from tables where not is_closed order by 1) as open_tables`,
);

/**
 * Makes the views of tables that have none or have got columns, and turns on the tables' own policies, which limit sessions
 * that do not use the views.
 *
 * @param client the tables' owner
 * @param tableWaitMs until the wait for a table fails with SQLSTATE 55P03
 * @param mayPrecede whether a release may still run that uses no views: behind a policy it would read whole tables
 */
export async function applyRowSecurity(client: Client, tableWaitMs: number, mayPrecede: boolean): Promise<void> {
  const [found] = await selectRowSecurity(client, []);
  if (found === undefined) return;
  const apply = (act: string) => client.query(`begin; set local lock_timeout = ${tableWaitMs}; ${act}; commit`);
  for (const name of found.unlimited_tables) await apply(`call limit_rows('${escapeIdentifier(name)}')`);
  const { rows } = await client.query('select from organizations limit 1');
  if (mayPrecede && rows.length > 0) return;
  for (const name of found.open_tables) await apply(`alter table ${escapeIdentifier(name)} enable row level security`);
}
