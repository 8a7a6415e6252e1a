import { within } from '../base/within.ts';
import type { Database } from './connections.ts';
import { migrationNames } from './migrate.ts';
import { ReadOnlyDatabase } from './read-only.ts';
import { statement } from './statement.ts';

/** Shorter than a probe waits. */
const ANSWER_WITHIN_MS = 1_000;
/** Anyone may ask, as often as they like, and all reads go down the same connection. */
const KEPT_FOR_MS = 500;

const selectMigrations = statement<[], { name: string; is_read_only: boolean }>(
  'database.migrations',
  `select name, current_setting('transaction_read_only')::boolean as is_read_only from schema_migrations`,
);

/** What keeps a process from serving; none where nothing does. */
type Hindrance = 'database_unreachable' | 'database_read_only' | 'migrations_missing';

/**
 * Looks whether the database answers within a second, takes changes and knows every migration of this program. Those of a
 * later release are no hindrance: while it is rolled out, both serve. What was found is kept for half a second.
 */
export function createReadiness(database: Pick<Database, 'read' | 'renewRead'>): () => Promise<Hindrance[]> {
  let names: Promise<string[]> | undefined;
  let latest: { atMs: number; found: Promise<Hindrance[]> } | undefined;

  async function look(): Promise<Hindrance[]> {
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
