import { testRaces } from '../harness/race-tests.ts';

// Each order in a statement of its own.
testRaces({ ORDER_BATCH: '1' });
