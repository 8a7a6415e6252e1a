import type { TestService } from './test-service.ts';

/** Adds a column to every table, as a later release may while this one serves. Returns how many tables there are. */
export async function addColumns({ sql }: Pick<TestService, 'sql'>): Promise<number> {
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'portal')`,
  );
  for (const { name } of tables) await sql(`alter table ${name} add column added_later text`);
  await sql(`do $$ declare tenant regclass; begin
    for tenant in select polrelid from pg_policy where polname = 'organizations' loop call limit_rows(tenant); end loop;
  end $$`);
  return tables.length;
}
