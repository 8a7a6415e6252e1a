import { killClaims, killLithicClaims, killTremendousClaims } from './claims/kill-claims.ts';
import { cutNetwork } from './cut-network.ts';
import { databaseFaults } from './database-faults.ts';
import { deliveryFaultRows } from './delivery/run-delivery-fault.ts';
import { killForEvents } from './event-faults.ts';
import { failovers } from './failover.ts';
import type { Fault } from './fault.ts';
import { raceGift } from './gift-race.ts';
import { killBatches } from './kill-batches.ts';
import { fewDescriptors } from './machine/few-descriptors.ts';
import { logRotation } from './machine/log-rotation.ts';
import { oneCore } from './machine/one-core.ts';
import { slowDisk } from './machine/slow-disk.ts';
import { smallMemory } from './machine/small-memory.ts';
import { moveClock, resetSandbox, soak } from './other-faults.ts';
import { outsideFaults } from './outside-faults.ts';
import { restore } from './restore/restore.ts';
import { killAnyProcess, killOneOfTwo, killPostgres, killServer, loseDebits, stopServer } from './server-faults.ts';
import { slowEndpoints } from './slow-endpoints.ts';
import { upgradeUnderLoad } from './upgrade.ts';
import { freezeWorker, killWorker } from './worker-faults.ts';

/** All faults in the order in which they run. */
export const faults: readonly Fault[] = [
  loseDebits,
  killServer,
  killWorker,
  freezeWorker,
  killPostgres,
  killOneOfTwo,
  killAnyProcess,
  killForEvents,
  stopServer,
  moveClock,
  resetSandbox,
  raceGift,
  killClaims,
  killLithicClaims,
  killTremendousClaims,
  killBatches,
  ...databaseFaults,
  ...failovers,
  cutNetwork,
  restore,
  ...outsideFaults,
  slowEndpoints,
  slowDisk,
  fewDescriptors,
  upgradeUnderLoad,
  smallMemory,
  logRotation,
  oneCore,
  soak,
  ...deliveryFaultRows,
];
