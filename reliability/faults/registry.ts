import { databaseFaults } from './database/database-faults.ts';
import { deliveryRows } from './delivery/rows.ts';
import { failover, failoverControl } from './failover/failover.ts';
import type { Fault } from './fault.ts';
import { processFaults } from './process-faults.ts';

/** All faults, in the order in which they run. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...databaseFaults,
  ...deliveryRows,
  failover,
  failoverControl,
];
