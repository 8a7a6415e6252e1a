import { testRaces } from '../harness/race-tests.ts';

// The smallest batch that is one.
testRaces({ ORDER_BATCH: '2' });
