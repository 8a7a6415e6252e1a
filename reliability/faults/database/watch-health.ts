import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient } from '../../load/send.ts';

const EVERY_MS = 50;
/** Where our own timer is later than this, the machine is busy with others, and a look says nothing of the server. */
const LATE_MS = 20;
const TIMEOUT_MS = 5_000;

/** How long `/v1/health` took to answer, each time that the machine had time for us. */
export interface HealthWatch {
  stop(): Promise<readonly number[]>;
}

/** Asks a server for its health twenty times a second; without an answer it took as long as the time-out. */
export function watchHealth(url: string): HealthWatch {
  const http = createHttpClient(TIMEOUT_MS);
  const tookMs: number[] = [];
  let isStopping = false;

  async function ask(): Promise<void> {
    for (let wasLate = false; !isStopping; ) {
      const startedAtMs = performance.now();
      const isWell = await http.send(url, { method: 'GET', path: '/v1/health' }).then(
        ({ status }) => status === 200,
        () => false,
      );
      const answeredAtMs = performance.now();
      await sleep(EVERY_MS);
      const isLate = performance.now() - answeredAtMs > EVERY_MS + LATE_MS;
      if (!isWell) tookMs.push(TIMEOUT_MS);
      else if (!isLate && !wasLate) tookMs.push(answeredAtMs - startedAtMs);
      wasLate = isLate;
    }
  }

  const asking = ask();
  return {
    async stop() {
      isStopping = true;
      await asking;
      http.close();
      return tookMs;
    },
  };
}
