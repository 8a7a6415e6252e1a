import { createHash } from 'node:crypto';
import { Client } from 'pg';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';

/** Hashes every row of every table, so that two hashes differ if anything was changed. */
export async function hashDatabase(target: ConnectionTarget): Promise<string> {
  const client = new Client(target);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema$)' order by 1`,
    );
    const each = rows.map(
      ({ name }) =>
        `select '${name}' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as hash from ${name} t`,
    );
    const hashes = await client.query<{ hash: string }>(each.join(' union all '));
    return createHash('sha256').update(JSON.stringify(hashes.rows)).digest('hex');
  } finally {
    await client.end();
  }
}
