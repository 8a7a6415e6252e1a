import type { Client } from 'pg';

/** A secret that must be found nowhere but where its owner is shown it. */
export interface Canary {
  /** What it is, for people. */
  name: string;
  secret: string;
}

/** Six digits stand in every time with microseconds; those are no codes. */
const isCode = (secret: string) => /^\d{6}$/.test(secret);

/** The secret as it may have been written down: as it is, for an address, as base64, as hexadecimal digits. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64url')];
  // What stands before it in the same base64 shifts it; the middle of a long secret is the same in one of three shifts.
  const shifted = [0, 1, 2].map((lead) =>
    Buffer.concat([Buffer.alloc(lead), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [...new Set([...forms, ...shifted.filter((form) => form.length >= 16)])];
}

/** The names of the secrets that stand in this text, in any of their forms. */
export function findCanaries(canaries: readonly Canary[], text: string): string[] {
  return canaries
    .filter(({ secret }) =>
      isCode(secret)
        ? new RegExp(`(?<![\\d.])${secret}(?!\\d)`).test(text)
        : formsOf(secret).some((form) => text.includes(form)),
    )
    .map(({ name }) => name);
}

/** Every row of every table of every schema, as text, by table: pg-boss's and the portal's too. */
export async function dumpDatabase(client: Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
    dump.set(name, rows.map(({ row }) => row).join('\n'));
  }
  return dump;
}
