// A process that sends yearly gifts at a time of the test, until none is left: `TIME` (ISO 8601), `SERVERS` (JSON).
import { sendYearlyGifts } from '../../src/capabilities/yearly-gifts/send-yearly-gifts.ts';
import { selectGiftsToDo } from '../../src/capabilities/yearly-gifts/work-queries.ts';
import { errorCode } from '../../src/platform/base/error-code.ts';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { createService } from '../../src/surfaces/process/serve.ts';
import { TestClock } from './test-clock.ts';
import { createTestLog } from './test-log.ts';
import { LINK_SECRET, testConfig } from './test-service.ts';

const { TIME = '', SERVERS = '[]' } = process.env;
const LOCK_TIMEOUT = '55P03';

const service = await createService(testConfig(), {
  servers: JSON.parse(SERVERS) as ConnectionTarget[],
  homeTarget: undefined,
  clock: new TestClock(TIME),
  log: createTestLog(),
  linkSecrets: [LINK_SECRET],
});
const { deps } = service;
process.stdout.write('Started\n');
const isLeft = async () => (await selectGiftsToDo(deps.database.shards, [new Date(TIME), 1])).length > 0;
do {
  // One process may wait too long for the other.
  await sendYearlyGifts(deps).catch((error: AggregateError) => {
    if ([error, ...(error.errors ?? [])].every((each) => errorCode(each) !== LOCK_TIMEOUT)) throw error;
  });
} while (await isLeft());
process.exit();
