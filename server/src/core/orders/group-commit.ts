import { QueueFull } from '../../platform/base/coalesce.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { type Lane, placementConnections } from '../../platform/database/connections.ts';
import { isOutOfOrder } from '../../platform/database/lost-commit.ts';
import type { Deps } from '../deps.ts';
import { type LaneDeps, type Placement, placeGroup } from './place-group.ts';
import type { PlacementRow } from './placement.ts';
import { isUsual, type OrderRequest, type PreparedOrder, prepareOrder } from './prepare-order.ts';
import { placeAnyOrders } from './queries.ts';
import { placeUsualOrders } from './usual-queries.ts';

/** What the last statement decided about an order. */
interface DecidedOrder extends PreparedOrder {
  row: PlacementRow;
}

export type GroupDeps = Pick<Deps, 'clock' | 'config' | 'database' | 'ids' | 'log' | 'meter' | 'tracer'>;

const lanes = new WeakMap<Lane, GroupCommit>();

/** The orders of all callers in this process, those of each shard apart. */
export function groupCommitFor({ database, ...deps }: GroupDeps, organizationId: string): GroupCommit {
  const lane = database.laneOf(organizationId);
  const found = lanes.get(lane);
  if (found !== undefined) return found;
  const { orderBatch, orderLockWaitMs } = deps.config;
  const commit = new GroupCommit(
    { ...deps, placement: lane.placement },
    { maxOrders: orderBatch, maxRuns: placementConnections(orderBatch), lockWaitMs: orderLockWaitMs },
  );
  lanes.set(lane, commit);
  return commit;
}

interface GroupOptions {
  /** Most orders in one statement. */
  maxOrders: number;
  /** Most statements at the same time. */
  maxRuns: number;
  /** How long an order waits for a balance that another process has locked. */
  lockWaitMs: number;
}

/** The orders of one organization and environment, in order of arrival. At most one statement has orders of a line. */
interface Line {
  owner: string;
  items: Item[];
  /** The idempotency keys of the running statement. */
  running: Set<string>;
  /** Another process has locked the balance; the next look at it comes after a pause. */
  isPaused: boolean;
  /** The last pause; 0 if the balance was free. */
  pauseMs: number;
}

interface Item {
  order: OrderRequest;
  /** Whether the statement for usual orders may place it. */
  isUsual: boolean;
  line: Line;
  sinceMs: number;
  lockedSinceMs: number | undefined;
  /** What its ids must exceed. */
  afterId: string | undefined;
  resolve(decided: DecidedOrder): void;
  reject(error: unknown): void;
}

/** Bounds memory; the HTTP server accepts fewer requests at the same time. */
const MAX_WAITING = 10_000;
const MAX_WAIT_MS = 5_000;
/** Most orders of an organization that wait for another process. */
const MAX_WAITING_FOR_LOCK = 64;
/** A statement costs 0.8 ms for any group size: at 16 connections, one statement at a time placed a fifth more than two. */
const WORTH_A_RUN = 16;
/** Fewer orders wait so long for the end of the running statement. */
const PATIENCE_MS = 50;
/** How long an organization's orders begin in the statement for all orders after one that only this could place. */
const UNUSUAL_MS = 10_000;
const MOST_UNUSUAL = 10_000;
const SHORTEST_LOCK_PAUSE_MS = 2;
const LONGEST_LOCK_PAUSE_MS = 8;

/**
 * Groups orders as a group commit does: orders that arrive while a statement runs wait, and the next statement takes them.
 * Organizations take turns, so that a large one does not delay a small one. A single order runs at once and alone.
 */
export class GroupCommit {
  readonly #deps: LaneDeps;
  readonly #options: GroupOptions;
  /** In the order of their turns. */
  readonly #lines = new Map<string, Line>();
  /** Until when the orders of a line begin in the statement for all orders: they are capped, or an issuer is special. */
  readonly #unusualUntilMs = new Map<string, number>();
  #waiting = 0;
  #runs = 0;
  #latestRunAtMs = 0;
  #isStarting = false;
  #hasTimer = false;

  constructor(deps: LaneDeps, options: GroupOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Places the order in one statement with others that wait at the same moment.
   *
   * @throws BestowError `resource_locked` if too many orders wait for the balance, `idempotency_in_progress` if the first
   *   order with the key takes too long; QueueFull if too many orders wait, or for too long; OutcomeUnknown if the order
   *   may have been placed; any other error if it was not placed
   */
  submit(order: OrderRequest): Promise<DecidedOrder> {
    const { organizationId, environment } = order.buyer;
    const owner = organizationId + environment;
    const line = this.#lines.get(owner) ?? { owner, items: [], running: new Set(), isPaused: false, pauseMs: 0 };
    if (line.pauseMs > 0 && line.items.length >= MAX_WAITING_FOR_LOCK)
      return Promise.reject(new BestowError('resource_locked'));
    if (this.#waiting >= MAX_WAITING) return Promise.reject(new QueueFull());
    this.#lines.set(owner, line);
    this.#waiting += 1;
    const sinceMs = performance.now();
    const begins = isUsual(this.#deps, order) && !((this.#unusualUntilMs.get(owner) ?? 0) > sinceMs);
    return new Promise((resolve, reject) => {
      line.items.push({
        order,
        isUsual: begins,
        line,
        sinceMs,
        lockedSinceMs: undefined,
        afterId: undefined,
        resolve,
        reject,
      });
      // Requests that are read from their sockets in the same tick of the event loop go together.
      if (this.#isStarting) return;
      this.#isStarting = true;
      setImmediate(() => this.#start());
    });
  }

  #start(): void {
    this.#isStarting = false;
    this.#refuseBefore(performance.now() - MAX_WAIT_MS - this.#options.lockWaitMs);
    while (this.#mayRun()) void this.#run(this.#take());
    if (this.#waiting === 0 || this.#hasTimer) return;
    this.#hasTimer = true;
    setTimeout(() => {
      this.#hasTimer = false;
      this.#start();
    }, PATIENCE_MS).unref();
  }

  #ready(): Line[] {
    return [...this.#lines.values()].filter(
      (line) => line.items.length > 0 && line.running.size === 0 && !line.isPaused,
    );
  }

  #mayRun(): boolean {
    const { maxOrders, maxRuns } = this.#options;
    if (this.#waiting === 0 || this.#runs >= maxRuns) return false;
    const count = this.#ready().reduce((sum, { items }) => sum + items.length, 0);
    if (count === 0 || this.#runs === 0) return count > 0;
    return count >= Math.min(WORTH_A_RUN, maxOrders) || performance.now() - this.#latestRunAtMs >= PATIENCE_MS;
  }

  /**
   * Takes one order of each line after another, all for the statement of the first. No two have the same idempotency key: the
   * second waits and replays.
   */
  #take(): Item[] {
    const { maxOrders } = this.#options;
    const group: Item[] = [];
    const keys = new Set<string>();
    let turns = this.#ready();
    const areUsual = turns[0]?.items[0]?.isUsual;
    while (turns.length > 0 && group.length < maxOrders)
      turns = turns.filter(({ owner, items }) => {
        if (group.length === maxOrders) return false;
        const index = items.findIndex(
          ({ order, isUsual }) => isUsual === areUsual && !keys.has(owner + order.idempotencyKey),
        );
        const [item] = index === -1 ? [] : items.splice(index, 1);
        if (item === undefined) return false;
        keys.add(owner + item.order.idempotencyKey);
        return group.push(item) > 0;
      });
    this.#waiting -= group.length;
    return group;
  }

  async #run(taken: Item[]): Promise<void> {
    const lines = new Set(taken.map(({ line }) => line));
    this.#runs += 1;
    this.#latestRunAtMs = performance.now();
    for (const { line, order } of taken) line.running.add(order.idempotencyKey);
    const now = new Date(this.#deps.clock.now());
    const group = taken.flatMap((item) => this.#prepare(item, now));
    try {
      const records = group.map(({ prepared }) => prepared.record);
      const rows = await placeGroup(this.#deps, records, taken[0]?.isUsual ? placeUsualOrders : placeAnyOrders);
      this.#settle(group, rows);
    } catch (error) {
      for (const { item } of group) item.reject(error);
      // The next statement would fail too.
      if (isOutOfOrder(error)) this.#refuseBefore(Number.POSITIVE_INFINITY);
    } finally {
      this.#runs -= 1;
      for (const line of lines) {
        line.running.clear();
        // Last in turn.
        this.#lines.delete(line.owner);
        if (line.items.length > 0) this.#lines.set(line.owner, line);
      }
      this.#start();
    }
  }

  /** Makes an order's rows with new ids. One that fails harms no other. */
  #prepare(item: Item, now: Date): { item: Item; prepared: PreparedOrder }[] {
    try {
      const { config, ids } = this.#deps;
      const own = item.afterId === undefined ? ids : ids.after(item.afterId);
      return [{ item, prepared: prepareOrder({ config, ids: own }, item.order, now) }];
    } catch (error) {
      item.reject(error);
      return [];
    }
  }

  /** Answers what is decided and puts the rest back, first in their lines. */
  #settle(group: { item: Item; prepared: PreparedOrder }[], rows: Placement[]): void {
    const nowMs = performance.now();
    const locked = new Set<Line>();
    const again: Item[] = [];
    for (const [index, { item, prepared }] of group.entries()) {
      const row = rows[index] as Placement;
      if ('error' in row) item.reject(row.error);
      else if (row.outcome === 'locked' && this.#mayWait(item, nowMs)) {
        locked.add(item.line);
        again.push(item);
      } else if (['stale_ids', 'run_again', 'unusual'].includes(row.outcome)) {
        if (row.outcome === 'stale_ids' && row.last_id !== null) item.afterId = row.last_id;
        if (row.outcome === 'unusual') item.isUsual = false;
        again.push(item);
      } else {
        if (row.outcome === 'placed' && !item.isUsual) this.#remember(item);
        item.resolve({ row, ...prepared });
      }
    }
    for (const item of again.reverse()) item.line.items.unshift(item);
    this.#waiting += again.length;
    for (const { item } of group) if (!locked.has(item.line)) item.line.pauseMs = 0;
    for (const line of locked) this.#pause(line);
  }

  #remember({ line: { owner }, order, sinceMs }: Item): void {
    if (!isUsual(this.#deps, order)) return;
    if (this.#unusualUntilMs.size >= MOST_UNUSUAL) this.#unusualUntilMs.clear();
    this.#unusualUntilMs.set(owner, sinceMs + UNUSUAL_MS);
  }

  /** Whether the order may go on waiting for a locked balance. */
  #mayWait(item: Item, nowMs: number): boolean {
    item.lockedSinceMs ??= nowMs;
    return nowMs - item.lockedSinceMs < this.#options.lockWaitMs;
  }

  /** Looks at a locked balance again after a pause. */
  #pause(line: Line): void {
    line.pauseMs = Math.min(line.pauseMs * 2 || SHORTEST_LOCK_PAUSE_MS, LONGEST_LOCK_PAUSE_MS);
    line.isPaused = true;
    setTimeout(() => {
      line.isPaused = false;
      this.#start();
    }, line.pauseMs).unref();
  }

  /** Refuses the orders that were submitted before this time. */
  #refuseBefore(timeMs: number): void {
    for (const line of this.#lines.values())
      for (let [first] = line.items; first !== undefined && first.sinceMs < timeMs; [first] = line.items) {
        line.items.shift();
        this.#waiting -= 1;
        first.reject(refusalOf(first));
      }
  }
}

function refusalOf({ line, order }: Item): Error {
  if (line.running.has(order.idempotencyKey)) return new BestowError('idempotency_in_progress');
  return line.pauseMs > 0 ? new BestowError('resource_locked') : new QueueFull();
}
