import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../server/test/harness/test-service.ts';
import { alteredTexts, hostileStrings, tryStrings } from '../fuzz/strings-suite.ts';

const SEED = 6;
const say = () => undefined;

test('nasty strings are refused in form or come back unchanged', async () => {
  assert.deepEqual(await hostileStrings.run({ seed: SEED, count: hostileStrings.counts.short, say }), []);
});

test('the strings suite finds a name that comes back normalized', () => {
  const order = (recipient_name: string) => ({
    gifts: [{ delivery: { method: 'link' }, personalization: { recipient_name, sender_name: 'We' } }],
  });
  assert.deepEqual(alteredTexts(order('e\u0301'), order('\u00e9')), ['recipient_name came back altered']);
});

test('the strings suite finds an admin who is not let in', async (t) => {
  const service = await startTestService({ RATE_LIMIT_BURST: '100000', RATE_LIMIT_ADDRESS_BURST: '100000' });
  t.after(() => service.close());
  const findings = await tryStrings(service, { seed: SEED, count: 200, say }, { Origin: 'https://elsewhere.example' });
  assert.match(findings.join(), /status 40[13]/);
});
