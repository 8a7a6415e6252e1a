import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { gift } from '../harness/api-client.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { openLink, startTestService } from '../harness/test-service.ts';

// A recipient finds the live gifts of an address, of every organization, after a code to it.

const service = openForFile(() => startTestService());
const MINUTE_MS = 60_000;

const post = (path: string, form: Record<string, string>, headers = {}, at = service.url) =>
  fetch(`${at}${path}`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form).toString() });

/** No other test has used it. */
const newAddress = () => `Finder-${randomUUID()}@example.com`;

async function order(address: string, environment: 'live' | 'sandbox' = 'live', sender_name = 'Charles') {
  const organization = await service.organization();
  const delivery = address.startsWith('+') ? { method: 'phone', phone: address } : { method: 'email', email: address };
  const { status, body } = await organization[environment].order([
    gift({ delivery, personalization: { sender_name } }),
  ]);
  assert.equal(status, 201);
  return { organization, giftId: body.gifts[0].gift_id as string };
}

/** The codes that were made for an address, latest last. */
async function codesOf(address: string) {
  const rows = await service.sql<{ sealed: string; details: { channel: string } }>(
    `select details->>'sealed_code' as sealed, details from portal.codes
     where kind = 'finder_code' and recipient = $1 order by code_id`,
    [address],
  );
  return rows.map(({ sealed, details }) => ({
    code: service.service.deps.seal.open(sealed) ?? '',
    channel: details.channel,
  }));
}

async function find(address: string, spelled = address) {
  assert.equal((await post('/find', { address })).status, 200);
  const digits = (await codesOf(address)).at(-1)?.code ?? '';
  const answer = await post('/find/gifts', { address: spelled, digits });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    links: [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, link]) => `${link}`),
  };
}

test('a code leads to the live gifts of all organizations, with working links', async () => {
  const address = newAddress();
  const [first, second] = [await order(address), await order(address.toUpperCase(), 'live', 'Grace')];
  await order(address, 'sandbox');
  await order(newAddress());
  const canceled = await order(address);
  await canceled.organization.live.post(`/v1/gifts/${canceled.giftId}/cancel`);
  await service.clock.setTime(service.clock.now() + 31 * 86_400_000);
  const { status, text, links } = await find(address, address.toLowerCase());
  assert.deepEqual([status, links.length], [200, 2]);
  assert.match(text, /From <bdi>Grace<\/bdi>.*Still wrapped.*From <bdi>Charles<\/bdi>/s);
  assert.doesNotMatch(text, /coffee|25\.00/);
  for (const link of links) assert.equal((await openLink(service, link)).status, 200);
  for (const { organization } of [first, second]) {
    const [event] = await service.sql(
      `select action, details from audit_events where organization_id = $1 order by event_id desc limit 1`,
      [organization.organizationUuid],
    );
    assert.deepEqual(event, { action: 'gifts.found', details: { gifts: 1 } });
  }
});

test('a phone number finds its gifts in any spelling', async () => {
  await order('+12025550188');
  assert.equal((await post('/find', { address: '+1 (202) 555-0188' })).status, 200);
  const [code] = await codesOf('+12025550188');
  assert.equal(code?.channel, 'phone');
  const answer = await post('/find/gifts', { address: '+1-202-555-0188', digits: code?.code ?? '' });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /Your gift<.*From <bdi>Charles/s);
});

test('an unknown address gets the same answers', async () => {
  const [known, unknown] = [newAddress(), newAddress()];
  await order(known);
  const same = async (path: string, form = {}) => {
    const answers = await Promise.all([known, unknown].map((address) => post(path, { address, ...form })));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    assert.equal(answers[0]?.status, answers[1]?.status);
    assert.equal(texts[0]?.replaceAll(known, ''), texts[1]?.replaceAll(unknown, ''));
  };
  await same('/find');
  const taken = new Set((await Promise.all([known, unknown].map(codesOf))).flat().map(({ code }) => code));
  await same('/find/gifts', { digits: ['000001', '000002', '000003'].find((code) => !taken.has(code)) });
});

test('a code works once, has five attempts and ends after ten minutes', async () => {
  const address = newAddress();
  await order(address);
  const enter = async (digits: string) => (await post('/find/gifts', { address, digits })).status;
  const ask = async () => {
    await service.clock.setTime(service.clock.now() + 2 * MINUTE_MS);
    await post('/find', { address });
    return (await codesOf(address)).at(-1)?.code ?? '';
  };
  const once = await ask();
  assert.deepEqual([await enter(once), await enter(once)], [200, 422]);
  const tried = await ask();
  const wrong = tried === '111111' ? '222222' : '111111';
  for (let n = 0; n < 5; n += 1) assert.equal(await enter(wrong), 422);
  assert.equal(await enter(tried), 422);
  const late = await ask();
  await service.clock.setTime(service.clock.now() + 11 * MINUTE_MS);
  assert.equal(await enter(late), 422);
});

test('an address gets one code a minute and five a day', async () => {
  const address = newAddress();
  for (let n = 0; n < 7; n += 1) {
    await post('/find', { address });
    await post('/find', { address });
    await service.clock.setTime(service.clock.now() + 2 * MINUTE_MS);
  }
  assert.equal((await codesOf(address)).length, 5);
});

test('a client gets 429 after twenty presses, and a foreign form 403', async () => {
  const other = await service.second();
  const press = async (headers = {}) => (await post('/find', { address: 'nothing' }, headers, other.url)).status;
  assert.equal(await press({ origin: 'https://evil.example' }), 403);
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push(await press());
  assert.deepEqual(new Set(statuses.slice(0, 20)), new Set([422]));
  assert.equal(statuses[20], 429);
});
