import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { checkDemo } from '../../../src/surfaces/doctor/check-demo.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

test('keys of a demo are a fault as soon as others can reach the service or it sends', async () => {
  const { organizationUuid } = await service.organization();
  await service.sql(`update api_keys set name = 'Demo live key' where organization_id = $1`, [organizationUuid]);
  const stateWith = async (variables: Record<string, string>) =>
    (await checkDemo(readConfig(variables), service.service.deps.database)).state;
  for (const here of [{}, { HOST: '::1' }, { PUBLIC_URL: 'http://127.0.0.1:3000' }])
    assert.equal(await stateWith(here), 'ok', JSON.stringify(here));
  const twilio = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'x', TWILIO_FROM: '+12025550199' };
  for (const beyond of [
    { NODE_ENV: 'production' },
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://gifts.example.com' },
    { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'gifts@example.com' },
    twilio,
  ])
    assert.equal(await stateWith(beyond as Record<string, string>), 'fault', JSON.stringify(beyond));
});
