import { testRaces } from '../../harness/race-tests.ts';

testRaces();
