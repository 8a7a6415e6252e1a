import type { Fault } from '../fault.ts';
import { cutAfterCommit, cutBeforeCommit, cutDuringCommit } from './cut-commits.ts';
import { diskFull } from './disk-full.ts';
import { outOfReachFaults } from './out-of-reach.ts';
import { soak } from './soak.ts';

/** What happens to the database, or between it and the service. */
export const databaseFaults: readonly Fault[] = [
  cutBeforeCommit,
  cutDuringCommit,
  cutAfterCommit,
  ...outOfReachFaults,
  diskFull,
  soak,
];
