import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Deps } from '../../core/deps.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import { makeDirectories } from '../../platform/base/make-directories.ts';
import { countCodesSetAside, selectPosition } from './queries.ts';

/** How far the events of a database have come. */
interface Position {
  /** Which database it is: when it was made. */
  database: string;
  /** All sequences together: they never fall but by a restore. */
  events: bigint;
}

type WatchDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'log'>;

const EVERY_MS = 60_000;

/**
 * `older`: the database was restored to an earlier time, and `bestow restore finish` did not run. `no file`, `unreadable`,
 * `damaged` and `unknown database`: nothing was compared.
 */
type Unread = 'no file' | 'unreadable' | 'damaged';
type Comparison = 'older' | 'as remembered' | 'unknown database' | Unread;

/** Compares the database with what `HISTORY_FILE`, outside it, remembers. */
export async function compareHistory({
  config,
  database,
}: Pick<WatchDeps, 'config' | 'database'>): Promise<Comparison> {
  const remembered = await readRemembered(config.historyFile);
  if (typeof remembered === 'string') return remembered;
  const now = await findPosition(database);
  const known = remembered[now.database];
  if (known === undefined) return 'unknown database';
  return now.events < BigInt(known) ? 'older' : 'as remembered';
}

/** Counts the codes of all organizations that wait since a restore until the operator releases them. */
export async function countWaitingCodes({ shards }: Pick<Deps['database'], 'shards'>): Promise<number> {
  return (await countCodesSetAside(shards, [])).reduce((sum, { codes }) => sum + codes, 0);
}

/** Remembers every minute how far the database has come, and says at the start if it is older than what is remembered. */
export function watchHistory(deps: WatchDeps): { start(): Promise<void>; stop(): Promise<void> } {
  const { clock, config, log } = deps;
  const { historyFile } = config;
  if (historyFile === undefined) return { start: async () => undefined, stop: async () => undefined };
  let timer: ReturnType<typeof clock.setTimeout> | undefined;
  let saving = Promise.resolve();
  const save = async () => {
    // An older database stays told until the command has moved it on.
    if ((await compareHistory(deps)) !== 'older') await remember(historyFile, await findPosition(deps.database));
  };
  let isTold = false;
  const saveLogged = () =>
    save().catch((error: unknown) => {
      if (!isTold) log.warn({ err: error, file: historyFile }, 'HISTORY_FILE could not be written.');
      isTold = true;
    });
  const later = () => {
    timer = clock.setTimeout(() => {
      saving = saveLogged().then(later);
    }, EVERY_MS);
  };
  return {
    async start() {
      const compared = await compareHistory(deps).catch(() => undefined);
      if (compared === 'older')
        log.error(
          'The database is older than what this server has seen: it was restored to an earlier time. Stop, and run bestow restore finish before anything is given out twice.',
        );
      await saveLogged();
      later();
    },
    async stop() {
      if (timer !== undefined) clock.clearTimeout(timer);
      await saving;
      if (timer !== undefined) clock.clearTimeout(timer);
      await saveLogged();
    },
  };
}

async function findPosition({ shards }: Pick<Deps['database'], 'shards'>): Promise<Position> {
  const rows = await selectPosition(shards, []);
  return { database: rows[0]?.database ?? '', events: rows.reduce((sum, { events }) => sum + BigInt(events), 0n) };
}

/** The databases that the file remembers, and the events of each. */
async function readRemembered(file: string | undefined): Promise<Record<string, string> | Unread> {
  if (file === undefined) return 'no file';
  try {
    const remembered: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof remembered === 'object' && remembered !== null ? (remembered as Record<string, string>) : 'damaged';
  } catch (error) {
    if (error instanceof SyntaxError) return 'damaged';
    return errorCode(error) === 'ENOENT' ? 'no file' : 'unreadable';
  }
}

async function remember(file: string, { database, events }: Position): Promise<void> {
  await makeDirectories(dirname(file));
  const found = await readRemembered(file);
  const remembered = { ...(typeof found === 'string' ? {} : found), [database]: `${events}` };
  // Several processes may write; each writes a whole file.
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(remembered)}\n`, { mode: 0o600 });
  await rename(written, file);
}
