import { migrationNames } from './migrate.ts';
import { type Queryable, statement } from './statement.ts';

/** Shorter than a probe waits. */
const ANSWER_WITHIN_MS = 1_000;

const selectMigrations = statement<[], { name: string }>('database.migrations', 'select name from schema_migrations');

/** What keeps a process from serving; none where nothing does. */
export type Hindrance = 'database_unreachable' | 'migrations_missing';

/**
 * Looks whether the database answers within a second and knows every migration of this program. Those of a later release
 * are no hindrance: while it is rolled out, both serve.
 */
export function createReadiness(database: Queryable): () => Promise<Hindrance[]> {
  let names: Promise<string[]> | undefined;
  return async () => {
    names ??= migrationNames();
    try {
      const rows = await within(ANSWER_WITHIN_MS, selectMigrations(database, []));
      const applied = new Set(rows.map(({ name }) => name));
      return (await names).every((name) => applied.has(name)) ? [] : ['migrations_missing'];
    } catch {
      return ['database_unreachable'];
    }
  };
}

async function within<Result>(limitMs: number, act: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time.')), limitMs);
  });
  try {
    return await Promise.race([act, limit]);
  } finally {
    clearTimeout(timer);
  }
}
