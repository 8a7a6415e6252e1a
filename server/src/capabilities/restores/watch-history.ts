import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Deps } from '../../core/deps.ts';
import { errorCode } from '../../platform/base/error-code.ts';
import { makeDirectories } from '../../platform/base/make-directories.ts';
import type { LogPosition } from '../../platform/database/look-at-history.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { countCodesSetAside, type LostHistory, selectLosses, selectPosition } from './queries.ts';

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

/** Failovers that lost commits, and servers that went back, after which a person has not run `bestow restore finish`. */
export const listLosses = (shards: readonly Queryable[]): Promise<LostHistory[]> => selectLosses(shards, []);

/**
 * Remembers every minute how far the database has come, and says if it is older than what is remembered.
 */
export function watchHistory(deps: WatchDeps): { start(): Promise<void>; stop(): Promise<void> } {
  const { clock, config, log } = deps;
  const { historyFile } = config;
  if (historyFile === undefined) return { start: async () => undefined, stop: async () => undefined };
  let timer: ReturnType<typeof clock.setTimeout> | undefined;
  let saving = Promise.resolve();
  let isTold = false;
  let isOlder = false;
  const save = async () => {
    const compared = await compareHistory(deps);
    // An older database stays told until the command has moved it on.
    if (compared !== 'older') await remember(historyFile, await findPosition(deps.database), deps.database);
    else if (!isOlder)
      log.error(
        'The database is older than what this server has seen: it was restored to an earlier time. Stop, and run bestow restore finish before anything is given out twice.',
      );
    isOlder = compared === 'older';
  };
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

/** The databases that the file remembers, and the events of each; and the positions of logs. */
async function readRemembered(file: string | undefined): Promise<Remembered | Unread> {
  if (file === undefined) return 'no file';
  try {
    const remembered: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof remembered === 'object' && remembered !== null ? (remembered as Remembered) : 'damaged';
  } catch (error) {
    if (error instanceof SyntaxError) return 'damaged';
    return errorCode(error) === 'ENOENT' ? 'no file' : 'unreadable';
  }
}

/** Begins the name of a server's position; the other names are databases, as in an earlier release. */
const SERVER = 'server ';
const POSITION = /^timeline (\d{1,10}), byte (\d{1,16})$/;

/** What was seen of each server's log, by the system. */
export async function readPositions(file: string | undefined): Promise<Map<string, LogPosition>> {
  const remembered = await readRemembered(file);
  if (typeof remembered === 'string') return new Map();
  return new Map(
    Object.entries(remembered).flatMap(([name, text]) => {
      const [, timeline, bytes] = POSITION.exec(text) ?? [];
      if (!name.startsWith(SERVER) || bytes === undefined) return [];
      return [[name.slice(SERVER.length), { timeline: Number(timeline), bytes: Number(bytes) }]];
    }),
  );
}

async function remember(file: string, { database, events }: Position, { servers }: Deps['database']): Promise<void> {
  const seen = servers.flatMap(({ history }) => [...(history?.seen ?? [])]);
  await change(file, (remembered) => ({
    ...remembered,
    [database]: `${events}`,
    ...Object.fromEntries(
      seen.map(([system, { timeline, bytes }]) => [SERVER + system, `timeline ${timeline}, byte ${bytes}`]),
    ),
  }));
}

/** After a restore that a person has finished, servers may be where they were before. */
export async function forgetPositions(file: string | undefined): Promise<void> {
  if (file === undefined || typeof (await readRemembered(file)) === 'string') return;
  await change(file, (remembered) =>
    Object.fromEntries(Object.entries(remembered).filter(([name]) => !name.startsWith(SERVER))),
  );
}

type Remembered = Record<string, string>;

async function change(file: string, act: (remembered: Remembered) => Remembered): Promise<void> {
  await makeDirectories(dirname(file));
  const found = await readRemembered(file);
  // Several processes may write; each writes a whole file.
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(act(typeof found === 'string' ? {} : found))}\n`, { mode: 0o600 });
  await rename(written, file);
}
