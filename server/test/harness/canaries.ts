import type { Client } from 'pg';

/** A secret that only its owner may see. */
export interface Canary {
  name: string;
  secret: string;
}

/** Excludes six digits in times with microseconds. */
const isCode = (secret: string) => /^\d{6}$/.test(secret);

/** The forms of a secret: as it is, URL-encoded, base64 and hexadecimal. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64url')];
  // Text before the secret shifts its base64; the middle of a long secret matches one of three shifts.
  const shifted = [0, 1, 2].map((lead) =>
    Buffer.concat([Buffer.alloc(lead), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  return [...new Set([...forms, ...shifted.filter((form) => form.length >= 16)])];
}

/** Returns the names of the secrets in this text, in any form. */
export function findCanaries(canaries: readonly Canary[], text: string): string[] {
  return canaries
    .filter(({ secret }) =>
      isCode(secret)
        ? new RegExp(`(?<![\\d.])${secret}(?!\\d)`).test(text)
        : formsOf(secret).some((form) => text.includes(form)),
    )
    .map(({ name }) => name);
}

/** Reads every row of every table of every schema as text. */
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
