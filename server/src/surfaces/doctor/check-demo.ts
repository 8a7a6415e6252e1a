import { isOnLoopback } from '../../platform/base/loopback.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { type Finding, fault, ok } from './finding.ts';
import { countDemoKeys } from './queries.ts';

/** Objects to a demo whose keys still work on a service for others. */
export async function checkDemo(
  config: Pick<Config, 'databaseUrls' | 'host' | 'isProduction' | 'publicUrl' | 'smtp' | 'twilio'>,
  { shards }: Pick<Database, 'shards'>,
): Promise<Finding> {
  const keys = (await countDemoKeys(shards, [])).reduce((sum, row) => sum + row.keys, 0);
  if (keys === 0) return ok('demo', 'none');
  const { databaseUrls, isProduction, smtp, twilio } = config;
  const isForOthers =
    isProduction || databaseUrls.length > 0 || [smtp, twilio].some((setting) => setting !== undefined);
  if (!isForOthers && isOnLoopback(config)) return ok('demo', 'on this machine only');
  return fault(
    'demo',
    `${keys} keys of the first start still work`,
    'Run: bestow org suspend with the id of Demo Organization, and bestow key revoke for its keys.',
  );
}
