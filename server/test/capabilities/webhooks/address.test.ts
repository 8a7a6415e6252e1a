import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isPublicAddress } from '../../../src/capabilities/webhooks/allowed-address.ts';
import { createResolver, type ResolveName } from '../../../src/capabilities/webhooks/resolve-name.ts';
import { createSender } from '../../../src/capabilities/webhooks/send-push.ts';
import { systemClock } from '../../../src/platform/base/clock.ts';
import { startWebhookReceiver } from '../../harness/webhook-receiver.ts';

const push = (url: string) => ({ url, id: 'evt_1', body: '{}', secrets: ['whsec_c2VjcmV0'] });

async function sendTo(url: string, allowedNetworks: string[] = [], resolve?: ResolveName) {
  const sender = createSender({ clock: systemClock }, { allowedNetworks, ...(resolve && { resolve }) });
  try {
    return await sender.send(push(url));
  } finally {
    sender.close();
  }
}

/** Every spelling that is not a public address. */
const FORMS = [
  '127.0.0.1',
  'localhost',
  '0.0.0.0',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '169.254.169.254',
  '10.0.0.1',
  '[fd00::1]',
  '100.64.0.1',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '192.0.2.1',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '255.255.255.255',
  '[fe80::1]',
  '[ff02::1]',
  '[::]',
  '[2001:db8::1]',
  '[64:ff9b:1::1]',
  '[2001::1]',
  '[3fff::1]',
  '[::7f00:1]',
  'a.localhost',
  '127.1',
];

for (const form of FORMS)
  test(`nothing is sent to ${form}`, async () => {
    const answer = await sendTo(`https://${form}:8443/`);
    assert.equal(answer?.isAccepted, false);
    assert.equal(answer?.status, null);
    assert.match(answer?.error ?? '', /is not public/);
  });

test('addresses of the internet are allowed', () => {
  for (const address of ['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::5'])
    assert.ok(isPublicAddress(address), address);
  for (const text of ['', 'shop.example', '1.1.1', '::ffff:1.1.1.1']) assert.ok(!isPublicAddress(text), text);
});

test('a name with one private address among public ones is refused', async () => {
  const answer = await sendTo('https://shop.example/', [], () => Promise.resolve(['93.184.215.14', '10.0.0.1']));
  assert.match(answer?.error ?? '', /10\.0\.0\.1 is not public/);
});

test('http goes only to networks that the operator named', async () => {
  const hook = await startWebhookReceiver();
  const publicName: ResolveName = () => Promise.resolve(['93.184.215.14']);
  assert.match((await sendTo('http://shop.example/', ['127.0.0.0/8'], publicName))?.error ?? '', /use https/);
  assert.match((await sendTo(hook.url))?.error ?? '', /use https/);
  assert.equal((await sendTo(hook.url, ['127.0.0.0/8']))?.status, 204);
  assert.match((await sendTo(hook.url, ['10.0.0.0/8']))?.error ?? '', /use https/);
  await hook.close();
});

/** A name server that gives the next address at each question about an IPv4 address. */
async function startNameServer(addresses: string[]) {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5;
    const isIpv4 = question.readUInt16BE(end - 4) === 1;
    const header = Buffer.from(question.subarray(0, end));
    header.writeUInt16BE(0x81_80, 2);
    header.writeUInt16BE(isIpv4 ? 1 : 0, 6);
    header.writeUInt16BE(0, 8);
    header.writeUInt16BE(0, 10);
    const address = addresses[Math.min(asked, addresses.length - 1)] ?? '';
    if (isIpv4) asked += 1;
    const answer = Buffer.concat([
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]),
      Buffer.from(address.split('.').map(Number)),
    ]);
    socket.send(isIpv4 ? Buffer.concat([header, answer]) : header, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    resolve: createResolver({ servers: [`127.0.0.1:${socket.address().port}`] }),
    asked: () => asked,
    close: () => socket.close(),
  };
}

test('a name that changes its address after the check does not get the push', async () => {
  const hook = await startWebhookReceiver();
  const { port } = new URL(hook.url);
  // The first question is the only one: the connection is made to its answer.
  const rebinding = await startNameServer(['127.0.0.2', '127.0.0.1']);
  const answer = await sendTo(`http://rebind.example:${port}/`, ['127.0.0.1/32'], rebinding.resolve);
  assert.match(answer?.error ?? '', /127\.0\.0\.2 is not allowed/);
  assert.equal(rebinding.asked(), 1);
  const back = await startNameServer(['127.0.0.1', '127.0.0.2']);
  assert.equal((await sendTo(`http://rebind.example:${port}/`, ['127.0.0.1/32'], back.resolve))?.status, 204);
  assert.equal(back.asked(), 1);
  rebinding.close();
  back.close();
  await hook.close();
});

test('reads at most 64 kB of an answer that never ends, and keeps one', async () => {
  const chunk = Buffer.from('\0é'.repeat(5_000));
  const endless = createServer((_, response) => {
    const write = () => {
      while (response.write(chunk));
    };
    response.on('drain', write).writeHead(200);
    write();
  }).listen(0, '127.0.0.1');
  await once(endless, 'listening');
  const { port } = endless.address() as AddressInfo;
  const answer = await sendTo(`http://127.0.0.1:${port}/`, ['127.0.0.0/8']);
  assert.deepEqual([answer?.isAccepted, answer?.status], [true, 200]);
  assert.ok(Buffer.byteLength(answer?.body ?? '') < 3_000);
  assert.ok(!answer?.body?.includes('\0'));
  endless.close();
});
