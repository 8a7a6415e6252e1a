import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../../src/core/keys/create-key.ts';
import { connectAgent } from '../../harness/agent.ts';
import { createApiClient } from '../../harness/api-client.ts';
import { createCertificate } from '../../harness/certificate.ts';
import { SHORTER, startNginx } from '../../harness/nginx.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { freePort } from '../../harness/server-process.ts';
import { startTestService } from '../../harness/test-service.ts';

// The shipped files of nginx, in the nginx of Debian, with a tenth of their time limits.

const service = openForFile(() => startTestService({ TRUST_PROXY: '127.0.0.1' }));

/** The longest wait that the interface promises, in nginx's time. */
const LONGEST_WAIT_MS = 30_000 / SHORTER;
/** Longer than nginx waits for other answers. */
const RESET_MS = 80_000 / SHORTER;

const SITE = 'gifts.example.com';
const hostOf = (url: string) => new URL(url).host;

/** The proxy of compose.yaml before two servers. */
async function startProxy() {
  const servers = [service, await service.second()];
  const port = await freePort();
  const { errors } = await startNginx('nginx.conf', port, (directory) => [
    ['/tmp/nginx.pid', `${directory}/nginx.pid`],
    ['/dev/stderr', `${directory}/error.log`],
    [/ *resolver .*\n/g, ''],
    [' resolve ', ' '],
    ...servers.map(({ url }, index) => [`server-${index + 1}:3000`, hostOf(url)] as const),
    ['listen 8080', `listen 127.0.0.1:${port}`],
  ]);
  return { url: `http://127.0.0.1:${port}`, errors };
}

test('eight idle readers of the feed and two of tools disturb no other client', async () => {
  const { url, errors } = await startProxy();
  const { keys } = await service.organization();
  const other = createApiClient(url, (await service.organization()).keys.sandbox);
  const agent = await connectAgent(url, keys.sandbox);
  const reader = createApiClient(url, keys.sandbox);
  const polls = [
    ...Array.from({ length: 8 }, async () => (await reader.get('/v1/events?wait=30')).status),
    ...Array.from({ length: 2 }, async () => ((await agent.call('wait_for_events')).isError ? 500 : 200)),
  ];
  const seen = new Set<number>();
  const call = async () => seen.add((await other.get('/v1/balance')).status);
  for (const untilMs = performance.now() + LONGEST_WAIT_MS; performance.now() < untilMs; await sleep(100)) await call();
  await service.clock.jump(30_000);
  await service.clock.advance(1);
  assert.deepEqual(new Set(await Promise.all(polls)), new Set([200]));
  await call();
  assert.deepEqual([...seen, await errors()], [200, '']);
});

test('the reset of a large sandbox is answered', async () => {
  const { url, errors } = await startProxy();
  const { keys } = await service.organization();
  await service.sql(`create function wait() returns trigger language plpgsql
    as 'begin perform pg_sleep(${RESET_MS / 1_000}); return null; end'`);
  await service.sql('create trigger wait before delete on orders for each statement execute function wait()');
  const { status } = await createApiClient(url, keys.sandbox).post('/v1/sandbox/reset');
  await service.sql('drop function wait cascade');
  assert.deepEqual([status, await errors()], [200, '']);
});

test('Debian’s nginx serves the site over TLS and forwards the address of the socket', async () => {
  const [plain, port] = [await freePort(), await freePort()];
  const { privateKey, pem } = createCertificate(SITE);
  await startNginx('debian.conf', port, (directory) => {
    writeFileSync(join(directory, 'fullchain.pem'), pem);
    writeFileSync(join(directory, 'privkey.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return [
      ['127.0.0.1:3000', hostOf(service.url)],
      [/listen \[::\]:.*;/g, ''],
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      [`/etc/letsencrypt/live/${SITE}`, directory],
    ];
  });
  const { organizationId } = await service.organization();
  const keyOf = async (network: string) => {
    const limits = { networks: [network] };
    const bound = { organizationId, environment: 'sandbox', name: network, limits, actor: OPERATOR } as const;
    return (await createKey(service.service.deps, bound)).key;
  };
  const get = (path: string, key = '') =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: SITE, authorization: `Bearer ${key}`, 'x-forwarded-for': '203.0.113.7' };
      const options = { host: '127.0.0.1', port, path, headers, ca: pem, servername: SITE };
      request(options, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
  assert.equal(await get('/v1/balance', await keyOf('127.0.0.1')), 200);
  assert.equal(await get('/v1/balance', await keyOf('203.0.113.7')), 401);
  assert.deepEqual([await get('/portal'), await get('/readyz')], [200, 404]);
  const { status, headers } = await fetch(`http://127.0.0.1:${plain}/g/token?x=1`, { redirect: 'manual' });
  assert.deepEqual([status, headers.get('location')], [301, `https://${SITE}/g/token?x=1`]);
});
