type Sql = <Row extends object>(text: string) => Promise<Row[]>;

const ours = `n.nspname in ('public', 'portal')`;

/** Everything that a migration can make in a database, a line each, without the names of migrations. */
const PARTS = [
  `select format('column %s.%s.%s %s %s %s collate %s, samples %s, storage %s', n.nspname, c.relname, a.attname,
     format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation,
     a.attstattarget, a.attstorage, a.attnum) as line
   from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
   left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where ${ours} and c.relkind in ('r', 'i') and a.attnum > 0 and not a.attisdropped`,
  `select format('table %s.%s %s %s %s', n.nspname, c.relname, c.relkind, c.reloptions, c.relreplident)
   from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${ours}`,
  `select format('constraint %s %s %s %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid), k.convalidated)
   from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace where ${ours}`,
  `select format('index %s', indexdef) from pg_indexes n where schemaname in ('public', 'portal')`,
  `select format('trigger %s', pg_get_triggerdef(t.oid)) from pg_trigger t join pg_class c on c.oid = t.tgrelid
   join pg_namespace n on n.oid = c.relnamespace where ${ours} and not t.tgisinternal`,
  `select format('function %s %s', pg_get_functiondef(p.oid), p.proacl) from pg_proc p
   join pg_namespace n on n.oid = p.pronamespace where ${ours}`,
  `select format('policy %s.%s %s %s %s', schemaname, tablename, policyname, cmd, qual) from pg_policies
   where schemaname in ('public', 'portal')`,
  `select format('type %s %s', t.typname, string_agg(e.enumlabel, ', ' order by e.enumlabel)) from pg_type t
   join pg_enum e on e.enumtypid = t.oid join pg_namespace n on n.oid = t.typnamespace where ${ours} group by t.typname`,
  `select format('comment %s %s %s', c.relname, d.objsubid, d.description) from pg_description d
   join pg_class c on c.oid = d.objoid join pg_namespace n on n.oid = c.relnamespace where ${ours}`,
];

/** Describes the schema, sorted. */
export async function schemaLines(sql: Sql): Promise<string[]> {
  const lines: string[] = [];
  for (const part of PARTS)
    lines.push(...(await sql<{ line: string }>(`select line from (${part}) as part (line)`)).map(({ line }) => line));
  return lines.sort();
}
