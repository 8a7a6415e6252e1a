import type { PoolClient } from 'pg';
import { statementOfNone } from './statement.ts';

const allow = statementOfNone<[milliseconds: string], { set_config: string }>(
  'database.allow_statements',
  `select set_config('statement_timeout', $1, true), set_config('lock_timeout', '0', true)`,
);

/** Lets the transaction's further statements take this long, waits for locks included. */
export async function allowStatements(client: PoolClient, limitMs: number): Promise<void> {
  await allow(client, [String(limitMs)]);
}
