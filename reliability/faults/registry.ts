import { databaseFaults } from './database-faults.ts';
import { deliveryFaultRows } from './delivery/run-delivery-fault.ts';
import { failover, failoverControl } from './failover/failover.ts';
import type { Fault } from './fault.ts';
import { moveClock, resetSandbox, soak } from './other-faults.ts';
import { killOneOfTwo, killPostgres, killServer, loseDebits, stopServer } from './server-faults.ts';
import { freezeWorker, killWorker } from './worker-faults.ts';

/** All faults in the order in which they run. */
export const faults: readonly Fault[] = [
  loseDebits,
  killServer,
  killWorker,
  freezeWorker,
  killPostgres,
  killOneOfTwo,
  stopServer,
  moveClock,
  resetSandbox,
  ...databaseFaults,
  soak,
  ...deliveryFaultRows,
  failover,
  failoverControl,
];
