import { compareHistory, countWaitingCodes } from '../../capabilities/restores/watch-history.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const CHECK = 'history';

/** Looks whether the database is older than what this server has seen of it, and for codes that wait since a restore. */
export async function checkHistory(config: Config, database: Database): Promise<Finding[]> {
  const compared = await compareHistory({ config, database });
  const codes = compared === 'older' ? 0 : await countWaitingCodes(database);
  if (codes > 0)
    return [
      warning(
        CHECK,
        `${codes} own codes are set aside since a restore`,
        'Ask the shop which are unused, and run: bestow issuer release FILE.',
      ),
    ];
  if (compared !== 'older') return [ok(CHECK, compared ?? 'nothing is remembered of this database')];
  return [
    fault(
      CHECK,
      'the database was restored to an earlier time',
      'Stop the service and run: bestow restore finish --from TIME. Otherwise codes and events are given out twice.',
    ),
  ];
}
