import type { Pool } from 'pg';
import type { Clock } from '../../platform/base/clock.ts';
import { errorMessage } from '../../platform/base/error-code.ts';
import { sessionOf } from '../../platform/base/private-internals.ts';
import { within } from '../../platform/base/within.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { mostConnections } from '../../platform/database/connections.ts';
import { isEarlierThan, migrationNames } from '../../platform/database/migrate.ts';
import { ReadOnlyDatabase, requireChanges } from '../../platform/database/read-only.ts';
import { selectRowSecurity } from '../../platform/database/row-security.ts';
import { selectMayCreate, selectWrongPrivileges } from '../../platform/database/service-role.ts';
import { SESSION_SETTINGS } from '../../platform/database/session-settings.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import {
  commitMessage,
  endMessage,
  isFull,
  selectWaitsForStandby,
  tryWrite,
} from '../../platform/database/try-write.ts';
import { attempt } from './attempt.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import * as queries from './queries.ts';

export const MAX_CLOCK_DIFFERENCE_MS = 2_000;
const COMMITTED_WITHIN_MS = 2_000;
/** PostgreSQL's default of `superuser_reserved_connections`. */
const RESERVED_CONNECTIONS = 3;
/** During an upgrade, two servers run. */
const MIN_SERVERS = 2;

/** Checks everything except PostgreSQL's version, which `openDatabase` checks. */
export async function checkDatabase(
  { orderBatch, processes }: Pick<Config, 'orderBatch' | 'processes'>,
  database: Queryable,
  clock: Clock,
): Promise<Finding[]> {
  const askedAtMs = clock.now();
  const [server] = await queries.selectServer(database, []);
  if (server === undefined) throw new Error('PostgreSQL returned no settings.');
  const middleMs = (askedAtMs + clock.now()) / 2;
  const session = await checkSession(database);
  return [
    ok('PostgreSQL', server.version.split(' ', 1)[0] ?? server.version),
    ...checkEncoding(server),
    ...checkDurability(server),
    checkConnections(server, processes * mostConnections(orderBatch)),
    session,
    // With another date style the time cannot be read.
    ...(session.state === 'ok' ? [checkClock(server.now.getTime() - middleMs)] : []),
    ...(await attempt('migrations', () => checkMigrations(database))),
    ...(await attempt('privileges', () => checkPrivileges(database, server.role))),
    ...(await attempt('row security', () => checkRowSecurity(database))),
  ];
}

/**
 * Writes and rolls back, and commits a message: a full disk still answers reads, and a standby that is gone stops only
 * commits. `checkDurability` reports a server that is read-only.
 */
export async function checkWrite(pool: Pool): Promise<Finding[]> {
  const client = await pool.connect();
  let isCommitted = false;
  try {
    await requireChanges(client);
    await tryWrite(client);
    isCommitted = await within(COMMITTED_WITHIN_MS, commits(client), () => false);
    return [isCommitted ? ok('a write', 'accepted and committed') : await explainWait(pool, sessionOf(client))];
  } catch (error) {
    isCommitted = true;
    if (error instanceof ReadOnlyDatabase) return [];
    const advice = isFull(error) ? 'Make room on its disk: docs/alerts.md#when-the-disk-is-full.' : 'See its log.';
    return [fault('a write', errorMessage(error), advice)];
  } finally {
    client.release(!isCommitted);
  }
}

const commits = (client: Queryable) => commitMessage(client, []).then(() => true);

async function explainWait(pool: Pool, session: number | undefined): Promise<Finding> {
  const [commits] = await selectWaitsForStandby(pool, []);
  if (session !== undefined) await endMessage(pool, [session]);
  const seconds = COMMITTED_WITHIN_MS / 1_000;
  return commits?.waits
    ? fault(
        'a write',
        'its commit waits for a synchronous standby',
        'Start the standby, or take it out of synchronous_standby_names: docs/alerts.md#when-a-standby-is-gone.',
      )
    : fault('a write', `not committed within ${seconds} seconds`, 'Its disk may be slow. See its log.');
}

function checkConnections({ max_connections }: queries.ServerRow, perServer: number): Finding {
  const servers = Math.floor((max_connections - RESERVED_CONNECTIONS) / perServer);
  const found = `${max_connections}, enough for ${servers === 1 ? '1 server' : `${servers} servers`}`;
  return servers >= MIN_SERVERS
    ? ok('max_connections', found)
    : warning(
        'max_connections',
        found,
        `Raise it: each server uses up to ${perServer}, and two run during an upgrade.`,
      );
}

const checkEncoding = ({ encoding }: queries.ServerRow): Finding[] =>
  encoding === 'UTF8'
    ? []
    : [fault('encoding', encoding, 'Create a database in UTF-8: names in other alphabets cannot be kept in this one.')];

function checkDurability({ fsync, full_page_writes, synchronous_commit, is_read_only }: queries.ServerRow): Finding[] {
  if (is_read_only)
    return [
      fault(
        'writable',
        'no: a standby, or configured as read-only',
        'Point DATABASE_URL to the primary, for example through its load balancer.',
      ),
    ];
  const settings = { fsync, full_page_writes, synchronous_commit };
  return Object.entries(settings).map(([name, value]) =>
    value === 'off' ? fault(name, value, `Turn ${name} on: acknowledged orders could be lost.`) : ok(name, value),
  );
}

function checkClock(differenceMs: number): Finding {
  const found = `${Math.abs(Math.round(differenceMs))} ms between this machine and PostgreSQL`;
  return Math.abs(differenceMs) <= MAX_CLOCK_DIFFERENCE_MS
    ? ok('clock', found)
    : warning('clock', found, 'Synchronize both clocks with NTP: links and jobs depend on them.');
}

/** `ISO, MDY` only differs in what it accepts, and PgBouncer's `Etc/UTC` in its name. */
const plain = (value: string) => value.replace(/^ISO, .*$/, 'ISO').replace(/^Etc\//, '');

/** A pooler that ignores the settings of a connection leaves those of the role, with which dates are read wrongly. */
async function checkSession(database: Queryable): Promise<Finding> {
  const rows = await queries.selectSessionSettings(database, [Object.keys(SESSION_SETTINGS)]);
  const other = rows.filter(({ name, value }) => plain(value) !== SESSION_SETTINGS[name]);
  if (other.length === 0) return ok('session', 'has its settings');
  return fault(
    'session',
    other.map(({ name, value }) => `${name} is ${value}`).join(', '),
    'Connect to PostgreSQL itself, or give the settings to its role: docs/operating.md#poolers. After alter role, run RECONNECT in PgBouncer’s console, because its sessions keep the earlier settings.',
  );
}

async function checkMigrations(database: Queryable): Promise<Finding> {
  const [first] = await queries.selectHasMigrations(database, []);
  const [applied] = first?.has_migrations ? await queries.selectMigrations(database, []) : [];
  const known = await migrationNames();
  const missing = known.filter((name) => !applied?.names?.includes(name)).length;
  const later = (applied?.names ?? []).filter((name) => !known.includes(name) && !isEarlierThan(known, name)).length;
  if (missing > 0)
    return fault('migrations', `${missing} of ${known.length} missing`, 'Run: bestow migrate (serve also does).');
  if (later > 0) return warning('migrations', `${later} of a later release`, 'Install the later release here too.');
  return ok('migrations', `all ${known.length}`);
}

/** The service must not own what it writes, or it could rewrite history. */
async function checkPrivileges(database: Queryable, role: string): Promise<Finding> {
  const wrong = await selectWrongPrivileges(database, [role]);
  const missing = wrong.filter(({ is_due }) => is_due).length;
  // pg-boss's tables hold no history.
  const excess = wrong.filter(({ is_due, table_name }) => !is_due && !table_name.startsWith('pgboss.'));
  const [rights] = await selectMayCreate(database, [role]);
  if (missing > 0)
    return fault(
      'privileges',
      `${role} lacks ${missing}`,
      'Run bestow migrate with MIGRATION_DATABASE_USER, the owner of the tables.',
    );
  return excess.length > 0 || rights?.may_create
    ? warning(
        'privileges',
        `${role} may change the schema or rewrite the ledger`,
        'Run the service as a user that owns nothing: docs/operating.md#least-privilege.',
      )
    : ok('privileges', `${role} owns nothing`);
}

async function checkRowSecurity(database: Queryable): Promise<Finding> {
  const [found] = await selectRowSecurity(database, []);
  const { unlimited_tables: unlimited = [], open_tables: open = [] } = found ?? {};
  if (unlimited.length > 0) return warning('row security', `off for ${unlimited.join(', ')}`, 'Run: bestow migrate.');
  if (open.length === 0) return ok('row security', 'on');
  return warning(
    'row security',
    'on, but not yet for SQL that names the tables’ schema',
    'When no process of the release before runs, run bestow migrate again: docs/operating.md#least-privilege.',
  );
}
