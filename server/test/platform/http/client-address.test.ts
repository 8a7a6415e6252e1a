import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../../src/core/keys/create-key.ts';
import { plainAddress } from '../../../src/platform/base/network.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

// Addresses as Azure's and IIS's proxies forward them: with a port, in brackets, or as other text.

const service = openForFile(() => startTestService({ TRUST_PROXY: '127.0.0.1,10.0.0.0/8' }));

const forwarding = (address: string) => ({ 'X-Forwarded-For': address });

async function keyOf(...networks: string[]) {
  const { organizationId } = await service.organization();
  const { deps } = service.service;
  const limits = { networks };
  return createKey(deps, { organizationId, environment: 'sandbox', name: 'bound', limits, actor: OPERATOR });
}

test('a key’s network holds for addresses with a port or brackets', async () => {
  const { key } = await keyOf('203.0.113.0/24', '2001:db8::/32');
  for (const [address, status] of [
    ['203.0.113.7:51234', 200],
    ['[2001:db8::7]:443', 200],
    ['[2001:db8::7%12]:443', 200],
    ['[2001:db8::7]', 200],
    ['203.0.113.7:51234, 10.1.2.3:443', 200],
    ['203.0.113.7, 198.51.100.1:443', 401],
    ['198.51.100.1:51234', 401],
    ['[2001:db9::7]:443', 401],
  ] as const)
    assert.equal((await service.api(key).get('/v1/orders', forwarding(address))).status, status, address);
});

test('sign-in attempts from one address count together, from all ports', async () => {
  const attempt = async (address: string) => {
    const answer = await fetch(`${service.url}/portal/api/auth/sign-in/email-otp`, {
      method: 'POST',
      headers: { origin: service.url, 'content-type': 'application/json', ...forwarding(address) },
      body: JSON.stringify({ email: 'admin@example.com', otp: '000000' }),
    });
    await answer.text();
    return answer.status;
  };
  for (const write of [(port: number) => `203.0.113.9:${port}`, (port: number) => `[2001:db8::9]:${port}`]) {
    const statuses: number[] = [];
    for (let port = 50_001; port <= 50_011; port += 1) statuses.push(await attempt(write(port)));
    assert.deepEqual([statuses.includes(429), statuses.indexOf(429)], [true, 10]);
  }
});

test('text that is no address counts as the proxy’s, with one warning', async (t) => {
  const warn = t.mock.method(service.service.deps.log, 'warn');
  const { key } = await keyOf('10.1.2.3');
  const status = async (address: string) => (await service.api(key).get('/v1/orders', forwarding(address))).status;
  assert.equal(await status('unknown, 10.1.2.3'), 200);
  for (const address of ['10.1.2.3, unknown', '_hidden']) assert.equal(await status(address), 401, address);
  // The nearest address is no proxy's, so the text before it is not read.
  assert.equal(await status('unknown, 203.0.113.7'), 401);
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: [fields] }) => fields),
    [{ proxy: '10.1.2.3' }],
  );
});

test('only an address is read as one', () => {
  for (const [text, address] of [
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::1'],
    [' 192.0.2.7:80', '192.0.2.7'],
    ['2001:db8::7:443', '2001:db8::7:443'],
    ['192.0.2.7:', undefined],
    ['192.0.2.7:80:80', undefined],
    ['[2001:db8::7', undefined],
    ['7', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(plainAddress(text), address, String(text));
});
