import { testBatches } from '../../harness/race-tests.ts';

// The smallest batch.
testBatches({ ORDER_BATCH: '2' });
