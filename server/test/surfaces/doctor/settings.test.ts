import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { checkProviders } from '../../../src/surfaces/doctor/check-providers.ts';
import { checkSettings } from '../../../src/surfaces/doctor/check-settings.ts';
import { testConfig } from '../../harness/test-service.ts';

const stateOf = (check: string, variables: Record<string, string>) =>
  checkSettings(testConfig({ PORT: '3000', ...variables })).find((finding) => finding.check === check) ?? assert.fail();

const smtp = { SMTP_URL: 'smtps://user:password@mail.example', MAIL_FROM: 'gifts@bestow.example' };

test('links to this machine in real messages are a fault', () => {
  const twilio = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token',
    TWILIO_FROM: '+12025550100',
  };
  for (const variables of [smtp, twilio]) {
    const { state, found } = stateOf('PUBLIC_URL', variables);
    assert.deepEqual([state, found], ['fault', 'not set: links in real messages begin with http://localhost:3000']);
  }
  assert.equal(stateOf('PUBLIC_URL', { ...smtp, PUBLIC_URL: 'https://gifts.example.com' }).state, 'ok');
});

test('a service that others reach is not taken for a local machine', () => {
  for (const variables of [smtp, { HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://gifts.example.com' }] as Record<
    string,
    string
  >[])
    assert.equal(stateOf('NODE_ENV', variables).state, 'warning', JSON.stringify(variables));
  assert.equal(stateOf('NODE_ENV', {}).state, 'ok');
});

test('a mail server that is busy is told by its own words', async (t) => {
  const server = createServer((socket) => socket.end('421 4.3.2 Too busy\r\n')).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const smtp = { url: `smtp://127.0.0.1:${port}`, from: 'gifts@example.com' };
  const [found] = await checkProviders({ smtp, twilio: undefined });
  assert.equal(found?.state, 'fault');
  assert.match(found?.found ?? '', /421 4\.3\.2 Too busy/);
});
