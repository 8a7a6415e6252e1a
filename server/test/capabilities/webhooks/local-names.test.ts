import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createResolver } from '../../../src/capabilities/webhooks/resolve-name.ts';
import { createSender } from '../../../src/capabilities/webhooks/send-push.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { startDnsServer } from '../../harness/dns-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';

// Names that only the machine and its network know, where the operator allows private networks.

const dns = openForFile(() => startDnsServer());
const hook = openForFile(() => startWebhookReceiver());

/** Pushes to a name of the receiver, as a machine with these files would, and returns the status or the error. */
async function pushTo(name: string, { hosts = '', resolver = '', server = dns.address } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-names-'));
  const files = { hosts: join(directory, 'hosts'), resolver: join(directory, 'resolv.conf') };
  await writeFile(files.hosts, hosts);
  await writeFile(files.resolver, resolver);
  const resolve = createResolver({ servers: [server], files });
  const sender = createSender({ clock: systemClock }, { allowedNetworks: ['127.0.0.1/32'], resolve });
  const url = hook.url.replace('127.0.0.1', name);
  const answer = await sender.send({ url, id: 'evt_1', body: '{}', secrets: ['whsec_c2VjcmV0'] });
  sender.close();
  await rm(directory, { recursive: true });
  return answer?.status ?? answer?.error;
}

const CLUSTER = 'search default.svc.test svc.test test\nnameserver 10.96.0.10\noptions ndots:5\n';

test('a push finds a name of the hosts file', async () => {
  const hosts = '# extra_hosts\n10.0.0.1 other.test\n127.0.0.1\tname.test Hooks.test # receiver\n';
  assert.equal(await pushTo('hooks.test', { hosts }), 204);
  assert.equal(await pushTo('hooks.test.', { hosts }), 204);
  assert.match(`${await pushTo('other.test', { hosts })}`, /^http to 10\.0\.0\.1 is not allowed/);
  assert.match(`${await pushTo('receiver', { hosts })}`, /name was not found/);
});

test('a push finds a name of a search domain', async () => {
  dns.addresses.set('hook.default.svc.test', '127.0.0.1').set('hook.example', '127.0.0.1');
  for (const name of ['hook', 'hook.default', 'hook.default.svc.test', 'hook.example'])
    assert.equal(await pushTo(name, { resolver: CLUSTER }), 204, name);
  assert.match(`${await pushTo('hook.other', { resolver: CLUSTER })}`, /name was not found/);
  assert.match(`${await pushTo('hook.default.', { resolver: CLUSTER })}`, /name was not found/);
});

test('search domains come first for names with fewer dots than ndots', async () => {
  dns.addresses.set('shop.dev', '127.0.0.9').set('shop.dev.svc.test', '127.0.0.1');
  assert.equal(await pushTo('shop.dev', { resolver: CLUSTER }), 204);
  assert.match(`${await pushTo('shop.dev', { resolver: 'search svc.test\n' })}`, /127\.0\.0\.9 is not allowed/);
});

test('a search domain whose server fails ends the search', async () => {
  const broken = await startDnsServer();
  broken.isBroken = true;
  const { address: server } = broken;
  assert.match(`${await pushTo('shop.dev', { resolver: CLUSTER, server })}`, /name servers did not answer/);
});
