import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkIssuers } from '../../src/doctor/check-issuers.ts';
import { chooseIssuer } from '../harness/choose-stripe.ts';
import { lithicSettings } from '../harness/lithic-network.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { LINK_SECRET, startTestService, testConfig } from '../harness/test-service.ts';
import { startLithic } from '../lithic/server.ts';

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
