import { testGroups } from '../../harness/race-tests.ts';

// The smallest group.
testGroups({ ORDER_BATCH: '2' });
