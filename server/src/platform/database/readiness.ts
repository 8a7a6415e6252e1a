import { within } from '../base/within.ts';
import type { Database, OneServer } from './connections.ts';
import { migrationNames } from './migrate.ts';
import { isReadOnly } from './read-only.ts';
import { statementOfNone } from './statement.ts';
import { isFull, selectWaitsForStandby } from './try-write.ts';

/** Shorter than a probe waits. */
const ANSWER_WITHIN_MS = 1_000;
/** Bounds the load of probes, which have no rate limit. */
const KEPT_FOR_MS = 500;
/** A write needs its own connection. */
const WRITE_KEPT_FOR_MS = 5_000;
/** A write whose network was lost. */
const GIVEN_UP_AFTER_MS = 30_000;

const selectMigrations = statementOfNone<[], { name: string; is_read_only: boolean }>(
  'database.migrations',
  `select name, current_setting('transaction_read_only')::boolean as is_read_only from schema_migrations`,
);

/** A reason why the process is not ready. */
type Reason =
  | 'database_unreachable'
  | 'database_read_only'
  | 'database_full'
  | 'migrations_missing'
  | 'clock_differs'
  | 'history_went_back'
  | 'database_waits_for_standby';

const inTime = <Rows>(answer: Promise<Rows>) =>
  within(ANSWER_WITHIN_MS, answer, () => {
    throw new Error('No answer in time.');
  });

/** Keeps what the look found. */
function kept<Found>(forMs: number, look: () => Promise<Found>): () => Promise<Found> {
  let latest: { atMs: number; found: Promise<Found> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs >= forMs) latest = { atMs: nowMs, found: look() };
    return latest.found;
  };
}

/** Only a full disk counts: the reads find everything else, and need no new connection. */
function findFull(server: OneServer): () => Promise<boolean> {
  let writing: Promise<void> | undefined;
  let startedAtMs = 0;
  return async () => {
    // A commit may wait for a standby for hours: one session, not one for each look.
    if (performance.now() - startedAtMs > GIVEN_UP_AFTER_MS && !(await waitsForStandby(server))) writing = undefined;
    if (writing === undefined) {
      startedAtMs = performance.now();
      const own = server.tryWrite().finally(() => {
        if (writing === own) writing = undefined;
      });
      writing = own;
    }
    return await inTime(writing).then(
      () => false,
      (error: unknown) => isFull(error),
    );
  };
}

const waitsForStandby = async ({ read }: OneServer) => (await selectWaitsForStandby(read, []))[0]?.waits === true;

/**
 * Checks whether the database answers within a second, accepts and commits changes, has room on its disk and has every migration of
 * this program, and whether its clock agrees with this machine's. Migrations of a later release are allowed. One shard is
 * enough, because it has organizations to serve. The result is cached for half a second, that of a write for five.
 *
 * @param isRight whether the clock of a server, by its index, agrees
 */
export function createReadiness(
  database: Pick<Database, 'servers'>,
  isRight: (server: number) => boolean = () => true,
): () => Promise<Reason[]> {
  let names: Promise<string[]> | undefined;
  const servers = database.servers.map((server) => ({ ...server, isFull: kept(WRITE_KEPT_FOR_MS, findFull(server)) }));

  async function lookAt(server: (typeof servers)[number], index: number): Promise<Reason[]> {
    const { read, renewRead } = server;
    names ??= migrationNames();
    try {
      const rows = await inTime(selectMigrations(read, []));
      if (rows.some(({ is_read_only }) => is_read_only)) {
        renewRead();
        return ['database_read_only'];
      }
      if (await server.isFull()) return ['database_full'];
      if (await inTime(waitsForStandby(server))) return ['database_waits_for_standby'];
      const applied = new Set(rows.map(({ name }) => name));
      if (!(await names).every((name) => applied.has(name))) return ['migrations_missing'];
      return isRight(index) ? [] : ['clock_differs'];
    } catch (error) {
      if (server.history?.wentBack) return ['history_went_back'];
      return [isReadOnly(error) ? 'database_read_only' : 'database_unreachable'];
    }
  }

  async function look(): Promise<Reason[]> {
    const found = await Promise.all(servers.map(lookAt));
    const missing = found.find(([reason]) => reason === 'migrations_missing');
    return missing ?? (found.some((reasons) => reasons.length === 0) ? [] : (found[0] ?? []));
  }

  return kept(KEPT_FOR_MS, look);
}
