import type { Clock } from '../../platform/base/clock.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import type { Cipher } from '../../platform/encryption/cipher.ts';
import { afterAnswer, eventOf, type Health, healthOf } from './endpoint-health.ts';
import { forgotten, type Item, itemOf, resultOf, secretsOf, UNREADABLE_SECRET } from './push-item.ts';
import * as queries from './push-queries.ts';
import { renderBody } from './render-body.ts';
import { retryDelay } from './retry-schedule.ts';
import { RunResults } from './run-results.ts';
import { type RunEvent, type RunState, runStates } from './run-states.ts';
import type { Answer, Sender } from './send-push.ts';
import { Window } from './window.ts';

/** A run takes no more after this time; with the last answers it ends before its lease. */
const RUN_MS = 15_000;
const CONCURRENCY = 32;
const READ_EVENTS = 500;
const READ_MORE_BELOW = 100;

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
  private readonly key: queries.EndpointKey;
  private readonly secrets: string[];
  private readonly endsAtMs: number;
  private readonly window: Window;
  private readonly results: RunResults;
  private readonly underWay = new Set<Promise<void>>();
  private queue: Item[] = [];
  private state: RunState;
  private health: Health;
  private failure: unknown;

  constructor(deps: RunDeps, endpoint: queries.LeasedEndpoint, leaseId: string) {
    const { clock, database, cipher } = deps;
    this.deps = deps;
    this.endpoint = endpoint;
    this.key = queries.keyOf(endpoint);
    this.secrets = secretsOf(cipher, endpoint, clock.now());
    this.endsAtMs = clock.now() + RUN_MS;
    this.window = new Window(endpoint.cursor_sequence, endpoint.last_matched);
    const { window, end: onEnded } = this;
    this.results = new RunResults({ clock, pool: database.pool, endpoint, leaseId, window, onEnded });
    this.health = healthOf(endpoint);
    this.state = this.health.probe_at === null ? 'reading' : 'probing';
  }

  async run(): Promise<void> {
    await this.readPending();
    while (this.queue.length > 0 || this.underWay.size > 0 || runStates[this.state].takes > 0) {
      if (this.deps.isStopping() || this.deps.clock.now() >= this.endsAtMs) this.end();
      await this.readNew();
      this.startQueued();
      if (this.underWay.size === 0) continue;
      await Promise.race(this.underWay);
      this.results.writeIfDue(this.health);
    }
    await this.results.settle();
    // The cursor may have passed results that were not written: without another write, the events are read again.
    if (this.failure !== undefined) throw this.failure;
    await this.results.writeLast(this.health);
  }

  private happened(event: RunEvent): void {
    this.state = runStates[this.state][event];
    if (event === 'ended') this.giveBack(() => true);
    if (event === 'failing') this.giveBack(({ isNew }) => isNew);
  }

  private readonly end = (error?: unknown): void => {
    this.failure ??= error;
    this.happened('ended');
  };

  /** Drops what was not started; new events are read again later. */
  private giveBack(isDropped: (item: Item) => boolean): void {
    const dropped = this.queue.filter(isDropped);
    this.queue = this.queue.filter((item) => !isDropped(item));
    this.window.giveBack(dropped.filter(({ isNew }) => isNew).map(({ event }) => event.sequence));
  }

  /** Retries come first; an ordered endpoint gets new events only when no earlier one is pending. */
  private async readPending(): Promise<void> {
    const { clock, database } = this.deps;
    const now = new Date(clock.now());
    const isOrdered = this.endpoint.is_ordered;
    const rows = await queries.selectPending(database.read, [...this.key, isOrdered ? null : now, READ_EVENTS]);
    const waiting = rows.findIndex(({ next_attempt_at }) => next_attempt_at > now);
    const due = waiting === -1 ? rows : rows.slice(0, waiting);
    if (isOrdered && (waiting !== -1 || rows.length === READ_EVENTS)) this.state = 'waiting';
    for (const row of due) {
      if (row.event === null) this.results.add(forgotten(row, now));
      else this.queue.push(itemOf(row, row.event));
    }
  }

  private async readNew(): Promise<void> {
    const { state, window } = this;
    const nowMs = this.deps.clock.now();
    const { takes } = runStates[state];
    if (takes === 0 || this.queue.length >= READ_MORE_BELOW) return;
    if (this.health.probe_at !== null && this.health.probe_at.getTime() > nowMs) {
      this.happened('enough');
      return;
    }
    const after = window.readUpTo;
    const rows = await queries.selectEventsAfter(this.deps.database.read, [...this.key, after, READ_EVENTS]);
    // An answer during the read changed the state or gave events back, and those come before these.
    if (this.state !== state || window.readUpTo !== after) return;
    let taken = 0;
    for (const { is_taken, ...event } of rows) {
      if (taken === takes) break;
      window.readUpTo = event.sequence;
      const { types } = this.endpoint;
      if (types !== null && !types.includes(event.type)) continue;
      const previous = window.match(event.sequence, !is_taken);
      if (is_taken) continue;
      this.queue.push({ event, previous, attempts: 0, createdAt: new Date(this.deps.clock.now()), isNew: true });
      taken += 1;
    }
    if (taken === takes || rows.length < READ_EVENTS) this.happened('enough');
  }

  private startQueued(): void {
    const concurrency = this.endpoint.is_ordered || this.health.probe_at !== null ? 1 : CONCURRENCY;
    while (this.underWay.size < concurrency) {
      const item = this.queue.shift();
      if (item === undefined) return;
      const attempt: Promise<void> = this.attempt(item)
        .catch(this.end)
        .finally(() => this.underWay.delete(attempt));
      this.underWay.add(attempt);
    }
  }

  private async attempt(item: Item): Promise<void> {
    const attemptedAt = new Date(this.deps.clock.now());
    const answer = await this.push(item);
    if (answer === undefined) this.end();
    else this.finish(item, attemptedAt, answer);
  }

  private push({ event, previous }: Item): Promise<Answer | undefined> {
    if (this.secrets.length === 0) return Promise.resolve(UNREADABLE_SECRET);
    const { url } = this.endpoint;
    const id = encodeId('evt', event.event_id);
    return this.deps.sender.send({ url, id, body: renderBody(event, previous), secrets: this.secrets });
  }

  private finish(item: Item, attemptedAt: Date, answer: Answer): void {
    const { isAccepted, retryAfterMs } = answer;
    const isOrdered = this.endpoint.is_ordered;
    const now = new Date(this.deps.clock.now());
    if (item.isNew) this.window.finish(item.event.sequence);
    const delayMs = isAccepted ? undefined : retryDelay({ failures: item.attempts + 1, retryAfterMs, isOrdered });
    const nextAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs);
    this.results.add(resultOf(item, attemptedAt, answer, nextAt));
    this.deps.onAttempt(isAccepted);
    const before = this.health;
    this.health = afterAnswer(before, answer, now);
    const event = eventOf(before, this.health, isOrdered && nextAt !== null);
    if (event !== undefined) this.happened(event);
  }
}
