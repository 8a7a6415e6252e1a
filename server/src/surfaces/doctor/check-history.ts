import { compareHistory, countWaitingCodes, listLosses } from '../../capabilities/restores/watch-history.ts';
import type { Config } from '../../platform/configuration/config.ts';
import type { Database } from '../../platform/database/connections.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const CHECK = 'history';
const NAME_IT = 'as its service does, and run doctor again: docs/backup.md#the-history-file.';

/** Looks whether the database is older than what this server has seen of it, and for codes that wait since a restore. */
export async function checkHistory(config: Config, database: Database): Promise<Finding[]> {
  const compared = await compareHistory({ config, database });
  if (compared === 'older')
    return [
      fault(
        CHECK,
        'the database was restored to an earlier time',
        'Stop the service and run: bestow restore finish --from TIME. Otherwise codes and events are given out twice.',
      ),
    ];
  const [loss] = await listLosses(database.shards);
  if (loss !== undefined)
    return [
      fault(
        CHECK,
        `what was committed after ${loss.kept_until.toISOString()} is lost: ${loss.moved_on_at === null ? 'the service makes it safe to go on' : 'the service went on as after a restore'}`,
        'Do what a restore needs besides: bestow restore finish',
      ),
    ];
  const codes = await countWaitingCodes(database);
  const waiting = warning(
    CHECK,
    `${codes} own codes are set aside since a restore`,
    'Ask the shop which are unused, write them into a file with the columns code and shop, and run: bestow issuer release FILE --category CATEGORY.',
  );
  const compares = compared === 'as remembered' ? [ok(CHECK, compared)] : findUncompared(config, compared);
  return codes > 0 ? [waiting, ...compares.filter(({ state }) => state !== 'ok')] : compares;
}

/** A restore would not be noticed. */
function findUncompared(
  { historyFile, isProduction }: Config,
  reason: 'no file' | 'unreadable' | 'damaged' | 'unknown database',
): Finding[] {
  if (historyFile === undefined)
    return isProduction
      ? [
          warning(
            CHECK,
            'not looked at: HISTORY_FILE is not set',
            'Set it to a file outside DATA_DIR and its backups: otherwise no one notices a restore.',
          ),
        ]
      : [];
  const [found, advice] = {
    'no file': [`${historyFile} does not exist`, `A service writes it when it starts. Set HISTORY_FILE ${NAME_IT}`],
    damaged: [`${historyFile} is not what a service writes`, 'A service writes it again within a minute.'],
    unreadable: [
      `${historyFile} cannot be read`,
      'It must be a file; run doctor as root or as the user of the service.',
    ],
    'unknown database': [
      `${historyFile} remembers other databases`,
      `A service adds this one when it starts. Set HISTORY_FILE ${NAME_IT}`,
    ],
  }[reason] as [string, string];
  return [warning(CHECK, `not looked at: ${found}`, advice)];
}
