import type { Fault } from './fault.ts';
import { freezeWorker } from './freeze-worker.ts';
import { killOneOfTwo } from './kill-one-of-two.ts';
import { killPostgres } from './kill-postgres.ts';
import { killServer } from './kill-server.ts';
import { killWorker } from './kill-worker.ts';
import { loseDebits } from './lose-debits.ts';
import { moveClock } from './move-clock.ts';
import { resetSandbox } from './reset-sandbox.ts';
import { stopServer } from './stop-server.ts';

/** Processes that are killed, frozen, stopped or told another time, and a sandbox that is reset in the middle of it all. */
export const processFaults: readonly Fault[] = [
  loseDebits,
  killServer,
  killWorker,
  freezeWorker,
  killPostgres,
  killOneOfTwo,
  stopServer,
  moveClock,
  resetSandbox,
];
