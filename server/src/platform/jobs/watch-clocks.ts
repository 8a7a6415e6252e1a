import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../database/statement.ts';
import { forgetProcess } from './clock-queries.ts';
import { ServerClock } from './server-clock.ts';

const EVERY_MS = 60_000;
/** While a clock is wrong, so that work goes on soon after it is right. */
const EVERY_WRONG_MS = 5_000;

/**
 * What a wrong clock may not decide. A process compares its clock with that of each database server when it starts and
 * each minute. A server's number is that of `databasesWithClocks`.
 */
export interface ClockWatch {
  /** Looks once, and then each minute. Calls `onChange` when a server's clock begins to differ, and when it agrees again. */
  start(onChange: (server: number, isRight: boolean) => void): Promise<void>;
  stop(): Promise<void>;
  /** Whether this clock agreed with the server's at the last look, and was not set since. */
  isRight(server: number): boolean;
  /**
   * Whether requests may be answered: the clock is right beside one of the servers. What a wrong clock dates cannot be
   * undone: an order's month in the accounts, or a link that seems to have expired.
   */
  isTrusted(): boolean;
  /**
   * Asks the server before an act that deletes, ends or sends by date. False if the clocks differ, or if the time leapt by
   * more than two days since the last such act: then it waits until the time is as expected, or for `acceptTime`.
   */
  mayActByTime(server: number): Promise<boolean>;
}

/** For a clock that a test moves, which is right by definition. */
export const trustedClock: ClockWatch = {
  start: async () => undefined,
  stop: async () => undefined,
  isRight: () => true,
  isTrusted: () => true,
  mayActByTime: async () => true,
};

interface WatchDeps {
  clock: Clock;
  log: Pick<Logger, 'error' | 'info'>;
  /** Of `databasesWithClocks`. */
  servers: readonly Queryable[];
}

export function watchClocks({ clock, log, servers }: WatchDeps): ClockWatch {
  const name = `${hostname()}, process ${process.pid}`;
  let onChange: (server: number, isRight: boolean) => void = () => undefined;
  const clocks = servers.map(
    (database, server) =>
      new ServerClock({ clock, log, database, name, onChange: (isRight) => onChange(server, isRight) }),
  );
  let timer: unknown;
  let looking: Promise<unknown> | undefined;
  let isStopped = false;

  function look(): Promise<unknown> {
    looking ??= Promise.allSettled(clocks.map((each) => each.look())).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  function later(): void {
    if (isStopped) return;
    const everyMs = clocks.every(({ agrees }) => agrees) ? EVERY_MS : EVERY_WRONG_MS;
    timer = clock.setTimeout(() => void look().then(later), everyMs);
  }

  function isRight(server: number): boolean {
    const own = clocks[server];
    if (own === undefined) return true;
    if (!own.wasSet()) return own.agrees;
    void look();
    return false;
  }

  return {
    async start(changed) {
      onChange = changed;
      await look();
      later();
    },
    async stop() {
      isStopped = true;
      clock.clearTimeout(timer);
      await looking;
      await Promise.allSettled(servers.map((database) => forgetProcess(database, [name])));
    },
    isRight,
    isTrusted: () => servers.some((_, server) => isRight(server)),
    async mayActByTime(server) {
      const may = (await clocks[server]?.step()) ?? true;
      if (!may) void look();
      return may;
    },
  };
}
