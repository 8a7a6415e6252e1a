import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../database/statement.ts';
import { noteOffset, selectTime, takeStep } from './clock-queries.ts';

/** Beyond it, a process answers no requests and works on no jobs. */
export const MOST_OFFSET_MS = 60_000;
/** What two ordinary days have: more at once waits for the operator's word. */
export const MOST_LEAP_MS = 2 * 86_400_000;
const TOLD_EVERY_MS = 60_000;
const ADVICE = 'docs/monitoring.md#clocks';

interface ServerClockDeps {
  clock: Clock;
  log: Pick<Logger, 'error' | 'info'>;
  database: Queryable;
  /** The machine and the process. */
  name: string;
  onChange(isRight: boolean): void;
}

/** This process's clock beside that of one database server. */
export class ServerClock {
  readonly #deps: ServerClockDeps;
  #agrees = true;
  /** The clock's time at the last look, less that of the timer, which a new time does not move. */
  #setMs: number;
  readonly #toldAtMs: Record<string, number> = {};

  constructor(deps: ServerClockDeps) {
    this.#deps = deps;
    this.#setMs = this.#settingMs();
  }

  /** Whether the clocks agreed at the last look. */
  get agrees(): boolean {
    return this.#agrees;
  }

  /** Whether the clock was set since the last look. */
  wasSet(): boolean {
    return Math.abs(this.#settingMs() - this.#setMs) > MOST_OFFSET_MS;
  }

  /** @throws the error of a server that does not answer: then it has no jobs either */
  async look(): Promise<void> {
    const { clock, database, log, name, onChange } = this.#deps;
    const { offsetMs, isOff } = await readOffset(database, clock);
    const agreed = this.#agrees;
    this.#agrees = !isOff;
    this.#setMs = this.#settingMs();
    if (isOff)
      this.#tell(
        'offset',
        `This machine’s clock is ${inWords(offsetMs)} PostgreSQL’s (${name}). This process answers no requests and works on no jobs until both agree: ${ADVICE}.`,
      );
    else if (!agreed) log.info('The clocks agree again, and the work on jobs goes on.');
    if (agreed === isOff) onChange(!isOff);
    // A server that is read-only or full still tells its time.
    await noteOffset(database, [name, Math.round(offsetMs)]).catch(() => undefined);
  }

  /**
   * Asks the server, and moves the time on by which the work of each minute is done.
   *
   * @returns false if the clocks differ, or if the time leapt
   */
  async step(): Promise<boolean> {
    const { clock, database } = this.#deps;
    const nowMs = clock.now();
    const [row] = await takeStep(database, [new Date(nowMs), MOST_OFFSET_MS, MOST_LEAP_MS]);
    if (row === undefined || row.is_taken) return row !== undefined;
    if (row.done_until !== null && Math.abs(nowMs - row.now.getTime()) <= MOST_OFFSET_MS)
      this.#tell(
        'leap',
        `The time is ${inWords(nowMs - row.done_until.getTime())} that of the last work of each minute, ${row.done_until.toISOString()}. Nothing is deleted, ended or sent by date: if the time is right now, run bestow clock accept (${ADVICE}).`,
      );
    return false;
  }

  #settingMs(): number {
    return this.#deps.clock.now() - performance.now();
  }

  /** Each reason at most once a minute. */
  #tell(reason: string, sentence: string): void {
    const nowMs = performance.now();
    if (nowMs - (this.#toldAtMs[reason] ?? -TOLD_EVERY_MS) < TOLD_EVERY_MS) return;
    this.#toldAtMs[reason] = nowMs;
    this.#deps.log.error(sentence);
  }
}

/**
 * How far the process's clock is ahead of a server's. The answer may have waited: it is off only if it certainly is.
 *
 * @throws the error of a server that does not answer
 */
export async function readOffset(database: Queryable, clock: Clock): Promise<{ offsetMs: number; isOff: boolean }> {
  const askedMs = clock.now();
  const startedMs = performance.now();
  const [row] = await selectTime(database, []);
  const halfMs = (performance.now() - startedMs) / 2;
  const offsetMs = askedMs + halfMs - (row as { now: Date }).now.getTime();
  return { offsetMs, isOff: Math.abs(offsetMs) - halfMs > MOST_OFFSET_MS };
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const;

/** Such as `120.0 days ahead of`. */
export function inWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, eachMs]) => Math.abs(ms) >= 2 * eachMs) ?? (['seconds', 1_000] as const);
  return `${(Math.abs(ms) / unitMs).toFixed(1)} ${unit} ${ms > 0 ? 'ahead of' : 'behind'}`;
}
