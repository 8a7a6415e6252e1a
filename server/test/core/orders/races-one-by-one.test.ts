import { testGroups } from '../../harness/race-tests.ts';

// Grouping is off.
testGroups({ ORDER_BATCH: '1' });
