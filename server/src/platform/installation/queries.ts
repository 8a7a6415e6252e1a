import { statementOfNone } from '../database/statement.ts';

interface KeptRow {
  name: string;
  value: string[];
}

export const selectKept = statementOfNone<[], KeptRow>('installation.select', 'select name, value from installation');

/** @param kept rows as JSON; a name that is there stays as it is */
export const insertKept = statementOfNone<[kept: string]>(
  'installation.insert',
  `insert into installation (name, value)
   select k.name, k.value from jsonb_to_recordset($1::jsonb) as k (name text, value text[])
   on conflict (name) do nothing`,
);

/** Replaces one value if it is still the one that was read. */
export const updateKept = statementOfNone<[name: string, before: string[], after: string[]]>(
  'installation.update',
  'update installation set value = $3, kept_at = now() where name = $1 and value = $2',
);

export const deleteKept = statementOfNone<[names: readonly string[]], { name: string }>(
  'installation.delete',
  'delete from installation where name = any($1) returning name',
);
