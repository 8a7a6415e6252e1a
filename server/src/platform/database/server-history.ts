import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, type ClientBase, type ClientConfig, type Pool, type PoolConfig, type QueryConfig } from 'pg';
import { inOnePacket, wrapQuery } from '../base/private-internals.ts';
import { endIdle } from './end-idle.ts';
import { LOG_POSITION, type LogPosition, lookAtHistory } from './look-at-history.ts';
import { ReadOnlyDatabase } from './read-only.ts';
import { withConnection } from './with-connection.ts';

/** Thrown while the service makes it safe to go on, because commits were lost that it had seen. */
class HistoryWentBack extends ReadOnlyDatabase {
  constructor() {
    super('The database lost what was committed; the service makes it safe to go on.');
  }
}

/** Commits that were acknowledged are not in the database. */
export interface Loss {
  /** The identifier of the server's cluster, which its standbys have too. */
  system: string;
  /** The timeline that goes on without the commits. */
  timeline: number;
  /** Where the log goes on without them, in bytes. */
  bytes: number;
  /** Whether the server itself went back, as a copy of its files does, and not a standby took over. */
  isRewound: boolean;
  /** When the last commit was made that the standby had; null if the server does not know. */
  keptUntil: Date | null;
}

/** What is known of the server that new connections reach. */
interface Standing extends LogPosition {
  system: string;
  beginsAt: number | null;
  keptUntil: Date | null;
}

const POSITION = { name: 'database.log_position', text: `select ${LOG_POSITION} as bytes` };
const COMMIT = `${POSITION.text}; commit`;

const LOOK_EVERY_MS = 5_000;
/** So seldom it costs nothing that could be measured. A loss of less than this may go unnoticed. */
const POSITION_EVERY_MS = 5;
const AGAIN_AFTER_MS = 1_000;
const LIFETIME_SECONDS = 300;

const histories = new WeakMap<object, ServerHistory>();

/** The history of the server of a pool; undefined for commands, which end before it matters. */
export const historyOf = (pool: object): ServerHistory | undefined => histories.get(pool);

/**
 * Runs a statement that commits by itself, and remembers where the log stood before it.
 *
 * @param pool that the client is from
 * @param run sends the statement at once
 */
export async function withHistory<Answering extends object, Result>(
  pool: object,
  client: Answering,
  run: (client: Answering) => Promise<Result>,
): Promise<Result> {
  const history = historyOf(pool);
  if (history === undefined) return await run(client);
  const { committed, answer } = inOnePacket(client, () => ({
    committed: history.beforeCommit(client),
    answer: run(client),
  }));
  const result = await answer;
  await committed();
  return result;
}

/**
 * Watches whether the server that new connections reach goes on from what was committed before.
 *
 * A failover to a standby without the last commits loses them: the standby's timeline begins before the position at which a
 * commit was acknowledged. Then every act is refused until `whenLost` has made it safe to go on. And a server that was
 * replaced may live on: its sessions are ended once a new connection has reached its successor.
 */
export class ServerHistory {
  /** A client that refuses to ask a server that was replaced. */
  readonly Client: new (
    config?: string | ClientConfig,
  ) => Client;
  readonly #queries = new WeakMap<object, (query: QueryConfig) => Promise<{ rows: { bytes: number }[] }>>();
  readonly #standings = new WeakMap<object, Standing>();
  readonly #pools = new Set<Pool>();
  /** By system: what was acknowledged lies behind it. */
  readonly #seen = new Map<string, LogPosition>();
  #remembered: ReadonlyMap<string, LogPosition>;
  #latest: Standing | undefined;
  #goingOn: Promise<void> | undefined;
  readonly #act = Promise.withResolvers<(loss: Loss) => Promise<void>>();
  #askedAtMs = Number.NEGATIVE_INFINITY;
  readonly #config: ClientConfig;
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  /**
   * @param config of the connections that look
   * @param remembered what earlier processes have seen of servers, by their systems
   */
  constructor(config: ClientConfig, remembered: ReadonlyMap<string, LogPosition>) {
    this.#config = config;
    this.#remembered = remembered;
    const guard = (client: Client) => this.#guard(client);
    this.Client = class extends Client {
      constructor(own?: string | ClientConfig) {
        super(own);
        guard(this);
      }
    };
    this.#timer = setInterval(() => this.#look().catch(() => undefined), LOOK_EVERY_MS).unref();
  }

  /** Looks at a new connection. */
  async #look(): Promise<void> {
    await withConnection(this.#config, (client) => this.verify(client));
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** Options of each pool to the server. */
  get poolOptions(): Pick<PoolConfig, 'Client' | 'verify' | 'maxLifetimeSeconds'> {
    return {
      Client: this.Client,
      verify: (client, done) => void this.verify(client).then(() => done(), done),
      // Follows an address that was moved while the old server lives on. Each pool at another time.
      maxLifetimeSeconds: randomInt(LIFETIME_SECONDS, 2 * LIFETIME_SECONDS),
    };
  }

  /** Ends the pool's idle connections to a server once that is replaced. */
  watch(pool: Pool): void {
    histories.set(pool, this);
    this.#pools.add(pool);
  }

  /** @param act makes it safe to go on; tried again until it succeeds */
  whenLost(act: (loss: Loss) => Promise<void>): void {
    this.#act.resolve(act);
  }

  /** Whether commits were lost, and every act is refused until it is safe to go on. */
  get wentBack(): boolean {
    return this.#goingOn !== undefined;
  }

  /** Looks, and returns when it is safe to go on. */
  async whenSafe(): Promise<void> {
    await this.#look().catch(() => undefined);
    await this.#goingOn;
  }

  #newestTimeline(system: string): number {
    const own = this.#latest?.system === system ? this.#latest.timeline : 0;
    return Math.max(own, this.#remembered.get(system)?.timeline ?? 0);
  }

  /** What this process has seen of servers, by their systems. */
  get seen(): ReadonlyMap<string, LogPosition> {
    return this.#seen;
  }

  /** @throws ReadOnlyDatabase if the session may only read, or is to a server that was replaced; HistoryWentBack */
  async verify(client: ClientBase): Promise<void> {
    // What is seen while the server is asked may lie behind its answer.
    const known = [this.#remembered, new Map(this.#seen)];
    const found = await lookAtHistory(client);
    if (found === undefined) return;
    const { system, timeline, bytes } = found;
    if (timeline === null || bytes === null) throw new ReadOnlyDatabase();
    if (timeline < this.#newestTimeline(system)) throw new Replaced();
    const standing = { system, timeline, bytes, beginsAt: found.begins_at, keptUntil: found.kept_until };
    this.#standings.set(client, standing);
    const isNew = this.#latest !== undefined && !isOf(standing, this.#latest);
    this.#latest = standing;
    this.#remembered = new Map();
    for (const seen of known) this.#judge(standing, seen);
    if (isNew) for (const pool of this.#pools) endIdle(pool, (idle) => this.isCurrent(idle));
    if (this.wentBack) throw new HistoryWentBack();
  }

  /** Whether the client's server is the one that new connections reach, as far as is known. */
  isCurrent(client: object): boolean {
    const standing = this.#standings.get(client);
    return standing === undefined || this.#latest === undefined || isOf(standing, this.#latest);
  }

  /**
   * Asks for the position of the log before a statement that commits. The statement must follow at once.
   *
   * @returns to be called when the commit is acknowledged
   */
  beforeCommit(client: object): () => Promise<void> {
    const nowMs = performance.now();
    const query = this.#queries.get(client);
    if (query === undefined || !this.#standings.has(client) || nowMs - this.#askedAtMs < POSITION_EVERY_MS)
      return async () => undefined;
    this.#askedAtMs = nowMs;
    const asked = query(POSITION).catch(() => undefined);
    return async () => this.#note(client, (await asked)?.rows[0]?.bytes);
  }

  /** Commits the client's transaction. */
  async commit(client: ClientBase): Promise<void> {
    if (!this.#standings.has(client)) {
      await client.query('commit');
      return;
    }
    const [position] = (await client.query(COMMIT)) as unknown as { rows: { bytes: number }[] }[];
    this.#note(client, position?.rows[0]?.bytes);
  }

  #guard(client: Client): void {
    wrapQuery(client, (query) => {
      this.#queries.set(client, query as never);
      return (...asked) => {
        const refusal = this.#refusalFor(client);
        if (refusal === undefined) return query(...asked);
        const callback = asked.at(-1);
        if (typeof callback !== 'function') return Promise.reject(refusal);
        // `pg` answers a callback later, too, and returns nothing.
        setImmediate(() => callback(refusal));
        return undefined as never;
      };
    });
  }

  #refusalFor(client: Client): Error | undefined {
    if (!this.#standings.has(client)) return undefined;
    if (!this.isCurrent(client)) return new Replaced();
    return this.wentBack ? new HistoryWentBack() : undefined;
  }

  /** An acknowledged commit lies at this position or behind it. */
  #note(client: object, bytes: number | undefined): void {
    const standing = this.#standings.get(client);
    if (standing === undefined || bytes === undefined) return;
    const { system, timeline } = standing;
    const position = { timeline, bytes };
    const seen = this.#seen.get(system);
    if (seen === undefined || isBefore(seen, position)) this.#seen.set(system, position);
    // The server was replaced while it committed.
    else if (timeline < seen.timeline && this.#latest !== undefined)
      this.#judge(this.#latest, new Map([[system, position]]));
  }

  /** @param seen before the server was asked where it is */
  #judge({ system, timeline, bytes, beginsAt, keptUntil }: Standing, seen: ReadonlyMap<string, LogPosition>): void {
    const known = seen.get(system);
    const now = this.#seen.get(system);
    if (now === undefined || now.timeline < timeline) this.#seen.set(system, { timeline, bytes: beginsAt ?? 0 });
    if (known === undefined || known.timeline > timeline) return;
    const isRewound = known.timeline === timeline && bytes < known.bytes;
    const hasLost = known.timeline < timeline && beginsAt !== null && beginsAt <= known.bytes;
    if (isRewound) this.#seen.set(system, { timeline, bytes });
    if (isRewound) this.#lose({ system, timeline, bytes, isRewound, keptUntil: null });
    else if (hasLost) this.#lose({ system, timeline, bytes: beginsAt, isRewound, keptUntil });
  }

  #lose(loss: Loss): void {
    this.#goingOn ??= this.#goOn(loss).finally(() => {
      this.#goingOn = undefined;
    });
  }

  async #goOn(loss: Loss): Promise<void> {
    const act = await this.#act.promise;
    while (!this.#isClosed) {
      try {
        return await act(loss);
      } catch {
        await wait(AGAIN_AFTER_MS, undefined, { ref: false });
      }
    }
  }
}

/** Thrown instead of asking a server whose successor new connections reach. */
class Replaced extends ReadOnlyDatabase {
  constructor() {
    super('Another server has taken the place of this database.');
  }
}

const isBefore = (one: LogPosition, other: LogPosition) =>
  one.timeline < other.timeline || (one.timeline === other.timeline && one.bytes < other.bytes);

const isOf = (one: Standing, other: Standing) => one.system === other.system && one.timeline === other.timeline;
