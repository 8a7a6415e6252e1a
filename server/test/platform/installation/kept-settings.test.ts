import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { agreeOnSettings } from '../../../src/platform/installation/agree.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, testConfig } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) => `the ${name} secret of thirty-two letters`);
const DATABASE_URL = 'postgres://h/d';

/** As a server or worker with these settings starts. */
const start = (LINK_SECRET = '', more: Record<string, string> = {}) =>
  agreeOnSettings(testConfig({ DATABASE_URL, LINK_SECRET, ...more }), [service.target]);
const accept = (setting: string) => runBestow(service.target, ['settings', 'accept', setting, '--yes']);

const OTHER_SECRET = {
  message:
    'LINK_SECRET is not the one that signed the links of this database. Put the earlier one back, or run: bestow settings accept link-secret, which ends every link that was sent, signs everyone out, and leaves encrypted settings unreadable.',
};

beforeEach(() => service.sql('delete from installation'));

test('another link secret is refused until the operator accepts it', async () => {
  await start(FIRST);
  await start(FIRST);
  await assert.rejects(start(SECOND), OTHER_SECRET);
  await assert.rejects(start(FIRST, { LINK_SECRET_GIFTS: SECOND ?? '' }), OTHER_SECRET);
  const [{ kept } = { kept: '' }] = await service.sql<{ kept: string }>(
    'select array_agg(i)::text as kept from installation i',
  );
  assert.ok(!kept.includes('secret of'), 'no secret is in the database');
  assert.equal((await accept('link-secret')).code, 0);
  await start(SECOND);
  await assert.rejects(start(FIRST), OTHER_SECRET);
});

test('a link secret is replaced in three steps, also while processes of two steps run', async () => {
  for (const secrets of [FIRST, `${FIRST},${SECOND}`, `${SECOND},${FIRST}`, `${FIRST},${SECOND}`, SECOND])
    await start(secrets);
  await assert.rejects(start(FIRST), OTHER_SECRET);
  await assert.rejects(start(THIRD), OTHER_SECRET);
});

test('another currency is refused until the operator accepts it', async () => {
  await start(FIRST);
  await assert.rejects(start(FIRST, { CURRENCY: 'EUR' }), {
    message:
      'CURRENCY is EUR, but the amounts of this database are in USD. Put the earlier one back, or run: bestow settings accept currency, which relabels every balance and gift.',
  });
  assert.equal((await accept('currency')).code, 0);
  await start(FIRST, { CURRENCY: 'EUR' });
  await assert.rejects(start(FIRST), /^Error: CURRENCY is USD, but/);
});

test('a currency without cents is refused', () => {
  for (const CURRENCY of ['JPY', 'KWD'])
    assert.throws(() => testConfig({ CURRENCY }), {
      message: `CURRENCY must be a currency with cents, such as USD, but is "${CURRENCY}".`,
    });
});

test('of starts at once with different secrets only one succeeds', async () => {
  const outcomes = await Promise.allSettled([start(FIRST), start(SECOND), start(THIRD)]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
});

test('accepting asks first', async () => {
  await start(FIRST);
  const { code, stderr } = await runBestow(service.target, ['settings', 'accept', 'currency']);
  assert.deepEqual([code, /relabels every balance.*--yes/.test(stderr)], [1, true]);
  await assert.rejects(start(FIRST, { CURRENCY: 'EUR' }));
});
