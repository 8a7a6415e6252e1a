import type { Clock } from '../base/clock.ts';
import type { Config } from '../config.ts';
import { mostConnections } from '../database/connections.ts';
import { migrationNames } from '../database/migrate.ts';
import type { Queryable } from '../database/statement.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import * as queries from './queries.ts';

const MOST_CLOCK_DIFFERENCE_MS = 2_000;
/** PostgreSQL keeps so many for its superuser unless told otherwise. */
const RESERVED_CONNECTIONS = 3;
/** The one that serves, and the one that is to replace it. */
const FEWEST_SERVERS = 2;

/** The version is looked at where the database is opened. */
export async function checkDatabase(
  { orderBatch }: Pick<Config, 'orderBatch'>,
  database: Queryable,
  clock: Clock,
): Promise<Finding[]> {
  const askedAtMs = clock.now();
  const [server] = await queries.selectServer(database, []);
  if (server === undefined) throw new Error('PostgreSQL says nothing of itself.');
  const middleMs = (askedAtMs + clock.now()) / 2;
  return [
    ok('PostgreSQL', server.version.split(' ', 1)[0] ?? server.version),
    ...checkDurability(server),
    checkConnections(server, mostConnections(orderBatch)),
    checkClock(server.now.getTime() - middleMs),
    await checkMigrations(database),
  ];
}

/** @param ofAServer most that one server takes */
function checkConnections({ max_connections }: queries.ServerRow, ofAServer: number): Finding {
  const servers = Math.floor((max_connections - RESERVED_CONNECTIONS) / ofAServer);
  const found = `${max_connections}, enough for ${servers === 1 ? '1 server' : `${servers} servers`}`;
  return servers >= FEWEST_SERVERS
    ? ok('max_connections', found)
    : warning(
        'max_connections',
        found,
        `Raise it: a server may take ${ofAServer}, and there are two while one is replaced.`,
      );
}

function checkDurability({ fsync, full_page_writes, synchronous_commit, is_read_only }: queries.ServerRow): Finding[] {
  if (is_read_only)
    return [
      fault(
        'writable',
        'no: a standby, or set to be read only',
        'Point DATABASE_URL at the primary, such as through its load balancer.',
      ),
    ];
  const settings = { fsync, full_page_writes, synchronous_commit };
  return Object.entries(settings).map(([name, value]) =>
    value === 'off'
      ? fault(name, value, `Turn ${name} on: an order that was acknowledged could be lost.`)
      : ok(name, value),
  );
}

function checkClock(differenceMs: number): Finding {
  const found = `${Math.abs(Math.round(differenceMs))} ms between this machine and PostgreSQL`;
  return Math.abs(differenceMs) <= MOST_CLOCK_DIFFERENCE_MS
    ? ok('clock', found)
    : warning('clock', found, 'Let both keep the time by NTP: links expire and jobs begin by it.');
}

async function checkMigrations(database: Queryable): Promise<Finding> {
  const [first] = await queries.selectHasMigrations(database, []);
  const [applied] = first?.has_migrations ? await queries.selectMigrations(database, []) : [];
  const known = await migrationNames();
  const missing = known.filter((name) => !applied?.names?.includes(name)).length;
  const later = (applied?.names ?? []).filter((name) => !known.includes(name)).length;
  if (missing > 0)
    return fault('migrations', `${missing} of ${known.length} missing`, 'Run: bestow migrate (serve does so too).');
  if (later > 0) return warning('migrations', `${later} of a later release`, 'Install that release here too.');
  return ok('migrations', `all ${known.length}`);
}
