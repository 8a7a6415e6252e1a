import type { TestOrganization, TestService } from './test-service.ts';

/** Everything in the database about an organization, by table, except what reading leaves. */
export async function everythingOf(
  service: Pick<TestService, 'sql'>,
  { organizationUuid }: Pick<TestOrganization, 'organizationUuid'>,
): Promise<Record<string, unknown>> {
  const tables = await service.sql<{ table_name: string }>(
    `select table_name from information_schema.columns
     where column_name = 'organization_id' and table_schema = 'public' order by table_name`,
  );
  const found: Record<string, unknown> = {};
  for (const { table_name } of tables)
    found[table_name] = await service.sql(
      `select to_jsonb(t) - 'last_used_at' as row from ${table_name} t where organization_id = $1 order by 1`,
      [organizationUuid],
    );
  return found;
}
