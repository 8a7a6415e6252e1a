import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { acceptable, adviceFor, findDisagreements } from '../../platform/installation/kept-settings.ts';
import { findKnownSecrets, findSecretFault } from '../../platform/installation/link-secret.ts';
import { type Finding, fault, ok } from './finding.ts';

const CHECKS = { currency: 'currency', 'link-secret': 'link secret' } as const;

/** Compares the currency and the link secrets with those that the first start kept in the database. */
export async function checkKept(config: Config, { shards }: Pick<Database, 'shards'>): Promise<Finding[]> {
  const isMissing = config.databaseUrls.length > 0 && config.linkSecrets.length === 0;
  // `checkSettings` reports both.
  if (isMissing || findSecretFault(config) !== undefined) return [];
  const known = await findKnownSecrets(config);
  const found = new Map<string, Finding>();
  for (const shard of shards)
    for (const one of await findDisagreements(shard, config, known))
      found.set(one.accept, fault(CHECKS[one.accept], one.found, adviceFor(one)));
  return (Object.keys(acceptable) as (keyof typeof acceptable)[]).map(
    (name) => found.get(name) ?? ok(CHECKS[name], 'as at the first start'),
  );
}
