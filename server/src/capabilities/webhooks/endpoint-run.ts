import type { Clock } from '../../platform/base/clock.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { Cipher } from '../../platform/encryption/cipher.ts';
import { forgotten, type Item, itemOf, resultOf, secretsOf, UNREADABLE_SECRET } from './push-item.ts';
import * as queries from './push-queries.ts';
import { renderBody } from './render-body.ts';
import { DAY_MS, probeDelay, retryDelay } from './retry-schedule.ts';
import type { Answer, Sender } from './send-push.ts';
import { Window } from './window.ts';

/** A run takes no more after this time; with the last answers it ends before its lease. */
const RUN_MS = 15_000;
export const LEASE_MS = 40_000;
const CONCURRENCY = 32;
const READ_EVENTS = 500;
const READ_MORE_BELOW = 100;
/** A statement with 200 results takes about 5 ms. */
const WRITE_RESULTS = 200;
const WRITE_AFTER_MS = 1_000;
/** No delivery is given up sooner. */
const LONG_FAILURE_MS = 2 * DAY_MS;
const GONE = 410;

interface RunDeps {
  clock: Clock;
  database: { read: Queryable; pool: Queryable };
  cipher: Cipher;
  sender: Sender;
  isStopping: () => boolean;
  onAttempt: (isAccepted: boolean) => void;
}

/** Pushes the events of one leased endpoint until there are no more, it fails or its time is over. */
export class EndpointRun {
  private readonly deps: RunDeps;
  private readonly endpoint: queries.LeasedEndpoint;
  private readonly leaseId: string;
  private readonly key: [string, queries.LeasedEndpoint['environment'], string];
  private readonly window: Window;
  private readonly secrets: string[];
  private readonly endsAtMs: number;
  private queue: Item[] = [];
  private underWay = 0;
  private results: queries.PushResult[] = [];
  private writing: Promise<void> | undefined;
  private failure: unknown;
  private writtenAtMs: number;
  private wake: () => void = () => undefined;
  private mayReadNew = true;
  private isOver = false;
  private isGone = false;
  private failingSince: Date | null;
  private failures: number;
  private probeAt: Date | null;
  private pausedUntil: Date | null = null;

  constructor(deps: RunDeps, endpoint: queries.LeasedEndpoint, leaseId: string) {
    this.deps = deps;
    this.endpoint = endpoint;
    this.leaseId = leaseId;
    const { organization_id, environment, endpoint_id, cursor_sequence, last_matched } = endpoint;
    this.key = [organization_id, environment, endpoint_id];
    this.window = new Window(cursor_sequence, last_matched);
    const nowMs = deps.clock.now();
    this.endsAtMs = nowMs + RUN_MS;
    this.writtenAtMs = nowMs;
    this.secrets = secretsOf(deps.cipher, endpoint, nowMs);
    this.failingSince = endpoint.failing_since;
    this.failures = endpoint.failures;
    this.probeAt = endpoint.probe_at;
  }

  async run(): Promise<void> {
    await this.readPending();
    for (;;) {
      if (this.isEnding()) this.giveBack(() => true);
      else await this.readNew();
      while (this.queue.length > 0 && this.underWay < this.concurrency()) this.start(this.queue.shift() as Item);
      if (this.underWay === 0) {
        if (this.mayReadNew) continue;
        break;
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.writeIfDue();
    }
    await this.writing;
    // The cursor may have passed results that were not written: without another write, the events are read again.
    if (this.failure !== undefined) throw this.failure;
    await this.write(true);
  }

  private isEnding(): boolean {
    return (
      this.isOver || this.failure !== undefined || this.deps.isStopping() || this.deps.clock.now() >= this.endsAtMs
    );
  }

  private concurrency(): number {
    return this.endpoint.is_ordered || this.probeAt !== null ? 1 : CONCURRENCY;
  }

  /** Retries come first; an ordered endpoint gets new events only when no earlier one is pending. */
  private async readPending(): Promise<void> {
    const { clock, database } = this.deps;
    const now = new Date(clock.now());
    const isOrdered = this.endpoint.is_ordered;
    const rows = await queries.selectPending(database.read, [...this.key, isOrdered ? null : now, READ_EVENTS]);
    const waiting = rows.findIndex(({ next_attempt_at }) => next_attempt_at > now);
    const due = waiting === -1 ? rows : rows.slice(0, waiting);
    if (isOrdered && (waiting !== -1 || rows.length === READ_EVENTS)) this.mayReadNew = false;
    for (const row of due) {
      if (row.event === null) this.results.push(forgotten(row, now));
      else this.queue.push(itemOf(row, row.event));
    }
  }

  private async readNew(): Promise<void> {
    if (!this.mayReadNew || this.queue.length >= READ_MORE_BELOW) return;
    const isProbe = this.probeAt !== null;
    if (isProbe && (this.probeAt as Date).getTime() > this.deps.clock.now()) {
      this.mayReadNew = false;
      return;
    }
    const after = this.window.readUpTo;
    const rows = await queries.selectEventsAfter(this.deps.database.read, [...this.key, after, READ_EVENTS]);
    // The endpoint began to fail during the read and gave events back: they come before these.
    if (!this.mayReadNew || this.window.readUpTo !== after) return;
    if (rows.length < READ_EVENTS) this.mayReadNew = false;
    for (const { is_taken, ...event } of rows) {
      this.window.readUpTo = event.sequence;
      const { types } = this.endpoint;
      if (types !== null && !types.includes(event.type)) continue;
      const previous = this.window.match(event.sequence, !is_taken);
      if (is_taken) continue;
      this.queue.push({ event, previous, attempts: 0, createdAt: new Date(this.deps.clock.now()), isNew: true });
      if (!isProbe) continue;
      this.mayReadNew = false;
      break;
    }
  }

  /** Drops what was not started; new events are read again later. */
  private giveBack(isDropped: (item: Item) => boolean): void {
    const dropped = this.queue.filter(isDropped);
    this.queue = this.queue.filter((item) => !isDropped(item));
    this.window.giveBack(dropped.filter(({ isNew }) => isNew).map(({ event }) => event.sequence));
    this.mayReadNew = false;
  }

  private start(item: Item): void {
    this.underWay += 1;
    void this.attempt(item)
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.underWay -= 1;
        this.wake();
      });
  }

  private async attempt(item: Item): Promise<void> {
    const attemptedAt = new Date(this.deps.clock.now());
    const answer = await this.push(item);
    if (answer === undefined) this.isOver = true;
    else this.finish(item, attemptedAt, answer);
  }

  private push({ event, previous }: Item): Promise<Answer | undefined> {
    if (this.secrets.length === 0) return Promise.resolve(UNREADABLE_SECRET);
    const { url } = this.endpoint;
    const id = encodeId('evt', event.event_id);
    return this.deps.sender.send({ url, id, body: renderBody(event, previous), secrets: this.secrets });
  }

  private finish(item: Item, attemptedAt: Date, answer: Answer): void {
    const { event, isNew } = item;
    const now = new Date(this.deps.clock.now());
    if (isNew) this.window.finish(event.sequence);
    const { retryAfterMs } = answer;
    const failed = { failures: item.attempts + 1, retryAfterMs, isOrdered: this.endpoint.is_ordered };
    const delayMs = answer.isAccepted ? undefined : retryDelay(failed);
    const nextAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs);
    this.results.push(resultOf(item, attemptedAt, answer, nextAt));
    this.deps.onAttempt(answer.isAccepted);
    if (answer.isAccepted) this.succeed();
    else this.fail(now, answer, delayMs !== undefined);
  }

  private succeed(): void {
    // It accepts again: a probe is followed by all that waited.
    if (this.probeAt !== null && !this.isOver) this.mayReadNew = true;
    this.failingSince = null;
    this.failures = 0;
    this.probeAt = null;
  }

  private fail(now: Date, { status, retryAfterMs }: Answer, isPending: boolean): void {
    this.failingSince ??= now;
    this.failures += 1;
    const delayMs = probeDelay(this.failures, now.getTime() - this.failingSince.getTime());
    if (delayMs !== undefined) this.probeAt = new Date(now.getTime() + delayMs);
    if (status === GONE) this.isGone = true;
    if (retryAfterMs !== undefined)
      this.pausedUntil = new Date(Math.max(this.pausedUntil?.getTime() ?? 0, now.getTime() + retryAfterMs));
    if (this.isGone || this.pausedUntil !== null || (this.endpoint.is_ordered && isPending)) this.isOver = true;
    else if (delayMs !== undefined) this.giveBack(({ isNew }) => isNew);
  }

  private writeIfDue(): void {
    if (this.writing !== undefined) return;
    const isLate = this.deps.clock.now() - this.writtenAtMs >= WRITE_AFTER_MS;
    if (this.results.length < WRITE_RESULTS && !(isLate && this.results.length > 0)) return;
    this.writing = this.write(false)
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.writing = undefined;
      });
  }

  /** @param isLast gives the lease back */
  private async write(isLast: boolean): Promise<void> {
    const { clock, database } = this.deps;
    const now = new Date(clock.now());
    const results = this.results;
    this.results = [];
    this.writtenAtMs = now.getTime();
    const { failing_since } = this.endpoint;
    const hasRecovered = failing_since !== null && this.failingSince === null;
    const progress = queries.progressText({
      ...this.window.advance(),
      failing_since: this.failingSince,
      failures: this.failures,
      probe_at: this.probeAt,
      paused_until: this.pausedUntil,
      is_gone: this.isGone,
      leased_until: new Date(now.getTime() + (isLast ? 0 : LEASE_MS)),
      now,
    });
    const written = await queries.writeResults(database.pool, [
      ...this.key,
      this.leaseId,
      JSON.stringify(results),
      progress,
    ]);
    // Edited, removed, disabled, or taken over by another process.
    if (written.length === 0) this.isOver = true;
    if (!hasRecovered) return;
    this.endpoint.failing_since = null;
    if (now.getTime() - failing_since.getTime() > LONG_FAILURE_MS)
      await queries.requeueFailed(database.pool, [...this.key, failing_since, now]);
  }
}
