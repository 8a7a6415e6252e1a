import type { Config } from '../config.ts';
import type { Database } from '../database/connections.ts';
import { compareHistory } from '../restores/watch-history.ts';
import { type Finding, fault, ok } from './finding.ts';

const CHECK = 'history';

/** Looks whether the database is older than what this server has seen of it. */
export async function checkHistory(config: Config, database: Database): Promise<Finding[]> {
  const compared = await compareHistory({ config, database });
  if (compared !== 'older') return [ok(CHECK, compared ?? 'nothing is remembered of this database')];
  return [
    fault(
      CHECK,
      'the database was restored to an earlier time',
      'Stop the service and run: bestow restore finish --from TIME. Otherwise codes and events are given out twice.',
    ),
  ];
}
