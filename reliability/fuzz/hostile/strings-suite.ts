import { startTestService } from '../../../server/test/harness/test-service.ts';
import { findBrokenTables } from '../find-broken-tables.ts';
import type { Suite } from '../suite.ts';
import { bodyPlaces } from './body-places.ts';
import { createGround } from './ground.ts';
import { headerPlaces, pathPlaces, queryPlaces } from './line-places.ts';
import { nastyStrings } from './nasty-strings.ts';
import { sampleOf } from './random.ts';
import { product, tryPlaces } from './try-places.ts';
import { watchLog } from './watch-log.ts';

const places = [...bodyPlaces, ...headerPlaces, ...pathPlaces, ...queryPlaces];

/** Every nasty string in every place of `/v1`, or a sample of these pairs. */
export const hostileStrings: Suite = {
  name: 'strings',
  counts: { whole: nastyStrings.length * places.length, short: 5_000 },
  async run({ seed, count, say }) {
    const trials = sampleOf(product(places, nastyStrings), count, seed);
    const service = await startTestService({ RATE_LIMIT_BURST: '10000000', RATE_LIMIT_ADDRESS_BURST: '10000000' });
    try {
      const lines = watchLog(service);
      const bystander = await createGround(service);
      const { requests, answers, orders, findings } = await tryPlaces(service, trials);
      say(`${nastyStrings.length} strings, ${places.length} places, ${requests} requests, ${orders} orders`);
      say(
        `answers: ${Object.entries(answers)
          .map(([status, of]) => `${of} of ${status}`)
          .join(', ')}`,
      );
      // Each key and address may send more than there are requests.
      if (answers[429] !== undefined) findings.push(`${answers[429]} were told to come later`);
      if (answers[201] === undefined) findings.push('no order was placed');
      findings.push(...(await bystander.changes()).map((change) => `another organization: ${change}`));
      findings.push(...(await findBrokenTables(service)));
      const health = await service.api().get('/v1/health');
      if (health.status !== 200) findings.push(`/v1/health says ${health.status}`);
      return [...findings, ...lines.slice(0, 10).map((line) => `logged: ${line}`)];
    } finally {
      await service.close();
    }
  },
};
