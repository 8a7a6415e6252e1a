import { testBatches } from '../../harness/race-tests.ts';

// Batching is off.
testBatches({ ORDER_BATCH: '1' });
