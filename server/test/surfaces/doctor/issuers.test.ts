import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkIssuers } from '../../../src/surfaces/doctor/check-issuers.ts';
import { startLithic } from '../../capabilities/lithic/server.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseIssuer } from '../../harness/choose-stripe.ts';
import { lithicSettings } from '../../harness/lithic-network.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { LINK_SECRET, startTestService, testConfig } from '../../harness/test-service.ts';

const config = { ...testConfig(), linkSecrets: [LINK_SECRET] };
const service = openForFile(() => startTestService());

test('doctor removes no issuer that is down, only one that refuses its settings', async () => {
  const lithic = await startLithic(service.clock);
  const known = await service.organization();
  await chooseIssuer(service, known, 'lithic', lithicSettings(lithic));
  const examine = async () => {
    const found = await checkIssuers(config, service.service.deps.database, service.clock);
    return found.at(-1) ?? assert.fail();
  };
  assert.equal((await examine()).state, 'ok');
  const { apiKey } = lithic;
  lithic.apiKey = 'another';
  const refused = await examine();
  assert.equal(refused.found, 'Lithic does not know the api_key.');
  assert.match(refused.advice ?? '', /bestow issuer remove, then bestow issuer add/);
  lithic.apiKey = apiKey;
  await lithic.close();
  const down = await examine();
  assert.deepEqual([down.state, down.found], ['fault', 'Lithic did not answer.']);
  assert.match(down.advice ?? '', /^Wait/);
  assert.doesNotMatch(down.advice ?? '', /remove|add/);
});

test('doctor names organizations without an issuer before their first live gift', async (t) => {
  const fresh = await startTestService();
  t.after(() => fresh.close());
  const production = { ...config, isProduction: true, allowsSimulatedLive: false };
  const examine = async () => (await checkIssuers(production, fresh.service.deps.database, fresh.clock))[0];
  const { live } = await fresh.organization({ live: 0 });
  assert.equal((await examine())?.state, 'ok');
  const funded = await fresh.organization({ live: 5_000 });
  const early = await examine();
  assert.deepEqual(
    [early?.state, early?.found],
    ['warning', '1 organizations with live funds have none: no gift could be claimed'],
  );
  assert.match(early?.advice ?? '', /^Run: bestow issuer add/);
  assert.equal((await live.order([linkGift()])).status, 402);
  assert.equal((await funded.live.order([linkGift()])).status, 201);
  assert.equal((await examine())?.state, 'fault');
});
