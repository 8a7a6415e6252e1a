interface ColumnRow {
  table_name: string;
  column_name: string;
  type: string;
  is_required: boolean;
  default_value: string | null;
}

interface NamedRow {
  table_name: string;
  definition: string;
}

type Sql = <Row>(text: string) => Promise<Row[]>;

const ours = `n.nspname = 'public'`;

/** Describes the migrated schema in Markdown, so a migration is a diff. */
export async function describeSchema(sql: Sql): Promise<string> {
  const columns = await sql<ColumnRow>(
    `select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull as is_required, pg_get_expr(d.adbin, d.adrelid) as default_value
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where ${ours} and c.relkind in ('r', 'p') order by c.relname, a.attnum`,
  );
  const constraints = await sql<NamedRow>(
    `select c.relname as table_name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and k.contype in ('p', 'u', 'f', 'c') order by c.relname, position(k.contype in 'pufc'), 2`,
  );
  const indexes = await sql<NamedRow>(
    `select c.relname as table_name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by 1, 2`,
  );
  const enums = await sql<{ name: string; labels: string }>(
    `select t.typname as name, string_agg(e.enumlabel, ', ' order by e.enumsortorder) as labels
     from pg_type t join pg_enum e on e.enumtypid = t.oid join pg_namespace n on n.oid = t.typnamespace
     where ${ours} group by t.typname order by 1`,
  );
  const tables = [...new Set(columns.map(({ table_name }) => table_name))];
  const of = (rows: NamedRow[], table: string) =>
    rows.filter(({ table_name }) => table_name === table).map(({ definition }) => `- \`${definition}\``);
  return [
    '# The database’s schema',
    '',
    'Made by `npm run generate` from the catalog of a migrated database; a test compares it. pg-boss keeps its own tables in the schema `pgboss`.',
    '',
    '## Types',
    '',
    ...enums.map(({ name, labels }) => `- \`${name}\`: ${labels}`),
    ...tables.flatMap((table) => [
      '',
      `## ${table}`,
      '',
      '| Column | Type | Required | Default |',
      '| --- | --- | --- | --- |',
      ...columns
        .filter(({ table_name }) => table_name === table)
        .map((c) => `| ${c.column_name} | ${c.type} | ${c.is_required ? 'yes' : 'no'} | ${c.default_value ?? ''} |`),
      '',
      ...of(constraints, table),
      ...of(indexes, table),
    ]),
    '',
  ].join('\n');
}
