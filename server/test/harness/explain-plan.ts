import type { Client } from 'pg';
import { SESSION_SETTINGS } from '../../src/platform/database/session-settings.ts';
import { statements } from '../../src/platform/database/statement.ts';
import { SERVICE_USER_NAME } from '../../src/platform/embedded-postgres/cluster.ts';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

export const describePlan = (nodes: readonly PlanNode[]) =>
  nodes
    .map(
      (node) => `${node['Node Type']} ${node['Relation Name'] ?? ''} ${node['Actual Rows']} × ${node['Actual Loops']}`,
    )
    .join(', ');

function literal(value: unknown): string {
  if (value === null) return 'null';
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join(',')}}`
    : String(value instanceof Date ? value.toISOString() : value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** Runs what follows as the service's sessions do. */
export const AS_SERVICE = `set role ${SERVICE_USER_NAME}; set search_path to ${SESSION_SETTINGS['search_path']}`;
export const AS_OWNER = 'reset role; reset search_path';

/** Explains a statement while it runs as the service's role for an organization, then rolls it back. */
export async function explainPlan(
  sql: Client,
  organizationId: string,
  { name, parameters, mode }: { name: string; parameters: readonly unknown[]; mode: string },
): Promise<PlanNode[]> {
  const given = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
  await sql.query(`set plan_cache_mode = ${mode}`);
  // Row security applies to the service's role; a superuser would not see its cost.
  await sql.query(`set app.organization_id to '${organizationId}'; ${AS_SERVICE}`);
  await sql.query(`prepare explained as ${statements.get(name)}`);
  await sql.query('begin');
  try {
    const { rows } = await sql.query(`explain (analyze, timing off, format json) execute explained${given}`);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await sql.query('rollback');
    await sql.query('deallocate explained');
    await sql.query(AS_OWNER);
  }
}

/** How many rows the plan takes from tables and indexes, with those that it drops. */
export const rowsRead = (nodes: readonly PlanNode[]) =>
  nodes
    .filter((node) => /^(?:Seq Scan|Index|Bitmap Heap)/.test(node['Node Type']))
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
