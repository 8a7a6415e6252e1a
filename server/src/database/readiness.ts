import { within } from '../base/within.ts';
import type { Database } from './connections.ts';
import { migrationNames } from './migrate.ts';
import { ReadOnlyDatabase } from './read-only.ts';
import { statement } from './statement.ts';

/** Shorter than a probe waits. */
const ANSWER_WITHIN_MS = 1_000;
/** Anyone may ask, without a limit. */
const KEPT_FOR_MS = 500;

const selectMigrations = statement<[], { name: string; is_read_only: boolean }>(
  'database.migrations',
  `select name, current_setting('transaction_read_only')::boolean as is_read_only from schema_migrations`,
);

/** A reason why the process is not ready. */
type Reason = 'database_unreachable' | 'database_read_only' | 'migrations_missing';

/**
 * Checks whether the database answers within a second, accepts changes and has every migration of this program. Migrations
 * of a later release are allowed. The result is cached for half a second.
 */
export function createReadiness(database: Pick<Database, 'read' | 'renewRead'>): () => Promise<Reason[]> {
  let names: Promise<string[]> | undefined;
  let latest: { atMs: number; found: Promise<Reason[]> } | undefined;

  async function look(): Promise<Reason[]> {
    names ??= migrationNames();
    try {
      const rows = await within(ANSWER_WITHIN_MS, selectMigrations(database.read, []), () => {
        throw new Error('No answer in time.');
      });
      if (rows.some(({ is_read_only }) => is_read_only)) {
        database.renewRead();
        return ['database_read_only'];
      }
      const applied = new Set(rows.map(({ name }) => name));
      return (await names).every((name) => applied.has(name)) ? [] : ['migrations_missing'];
    } catch (error) {
      return [error instanceof ReadOnlyDatabase ? 'database_read_only' : 'database_unreachable'];
    }
  }

  return () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs >= KEPT_FOR_MS) latest = { atMs: nowMs, found: look() };
    return latest.found;
  };
}
