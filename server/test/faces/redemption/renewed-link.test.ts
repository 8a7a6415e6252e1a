import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordEvents } from '../../../src/core/delivery/hooks/record-events.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const service = openForFile(() => startTestService());

/** Moves the clock without waiting. */
const pass = (ms: number) => service.clock.setTime(service.clock.now() + ms);

interface DeliveryRow {
  gift_id: string;
  delivery_id: string;
  channel: string;
  address: string;
  link_version: number;
  link_expires_at: Date;
  state: string;
  created_at: Date;
}

const deliveries = ({ organizationUuid }: TestOrganization) =>
  service.sql<DeliveryRow>(
    `select gift_id, delivery_id, channel, address, link_version, link_expires_at, state, created_at from deliveries
     where organization_id = $1 order by delivery_id`,
    [organizationUuid],
  );

/** The queued jobs of a message. */
const jobs = (deliveryId: string) =>
  service.sql<{ name: string }>(`select name from pgboss.job where data ->> 'deliveryId' = $1`, [deliveryId]);

/** The link in the latest message. */
async function linkOf(organization: TestOrganization, environment: 'live' | 'sandbox'): Promise<string> {
  const row = (await deliveries(organization)).at(-1);
  return service.service.deps.links.url({
    organizationId: organization.organizationUuid,
    environment,
    giftId: row?.gift_id ?? '',
    version: row?.link_version ?? 0,
    expiresAtMs: row?.link_expires_at.getTime() ?? 0,
  });
}

async function orderedAndExpired(environment: 'live' | 'sandbox', delivery: object) {
  const organization = await service.organization();
  const { body } = await organization[environment].order([gift({ delivery })]);
  const link = await linkOf(organization, environment);
  await pass(30 * DAY_MS);
  return { organization, link, giftId: body.gifts[0].gift_id as string };
}

const ada = { method: 'email', email: 'ada.lovelace@mail.example.com' };
const steered = (name: string) => ({ method: 'email', email: `${name}@sandbox.gift.test` });
const renew = (link: string) => openLink(service, `${link}/renew`, 'POST');

/** The text of the expired page. */
async function wordsOf(link: string): Promise<string> {
  const { status, text } = await openLink(service, link);
  assert.equal(status, 410);
  assert.ok(!text.includes('lovelace') && !text.includes('example'), 'the address is never shown in full');
  const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
  return main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('an expired email link sends a new link to the same address', async () => {
  const { organization, link } = await orderedAndExpired('live', ada);
  assert.match(await wordsOf(link), /We can send a new link to the same address, a•••@m•••\.com \. .*Send a new link/);
  const renewed = await renew(link);
  assert.deepEqual([renewed.status, renewed.headers.get('location'), renewed.text], [303, `../${link.slice(-76)}`, '']);
  assert.match(await wordsOf(link), /We sent you a new link .*A new link is on its way to a•••@m•••\.com \./);
  assert.doesNotMatch(await wordsOf(link), /Send a new link|expired/);

  const [first, second, ...more] = await deliveries(organization);
  assert.deepEqual(more, []);
  assert.deepEqual(second, {
    gift_id: first?.gift_id,
    delivery_id: second?.delivery_id,
    channel: 'email',
    address: ada.email,
    link_version: 1,
    link_expires_at: new Date(service.clock.now() + 30 * DAY_MS),
    state: second?.state,
    created_at: new Date(service.clock.now()),
  });
  assert.deepEqual(await jobs(`${second?.delivery_id}`), [{ name: 'send-email' }]);
  const fresh = await openLink(service, await linkOf(organization, 'live'));
  assert.equal(fresh.status, 200);
  assert.ok(fresh.text.includes('Unwrap'));
});

test('a phone gift’s new link is a text message, and the number is masked', async () => {
  const { organization, link } = await orderedAndExpired('live', { method: 'phone', phone: '+12025550199' });
  const { text } = await openLink(service, link);
  assert.ok(text.includes('+1•••99') && !text.includes('2025550'));
  await renew(link);
  const rows = await deliveries(organization);
  assert.deepEqual(
    rows.map(({ channel, address }) => [channel, address]),
    Array(2).fill(['phone', '+12025550199']),
  );
  assert.deepEqual(await jobs(`${rows[1]?.delivery_id}`), [{ name: 'send-phone' }]);
});

test('in the sandbox the new message is only in the outbox', async () => {
  const { organization, link } = await orderedAndExpired('sandbox', ada);
  assert.match(await wordsOf(link), /Sandbox: the message is only in the outbox\./);
  await renew(link);
  const rows = await deliveries(organization);
  assert.deepEqual([rows.length, rows[1]?.state], [2, 'pending']);
  assert.deepEqual(await jobs(`${rows[1]?.delivery_id}`), []);
  assert.equal((await openLink(service, await linkOf(organization, 'sandbox'))).status, 200);
});

test('a new link is sent at most once an hour and five times a day', async () => {
  const { organization, link } = await orderedAndExpired('live', ada);
  const sent = async () => (await deliveries(organization)).length - 1;
  for (let count = 1; count <= 5; count += 1) {
    for (let press = 0; press < 3; press += 1) assert.equal((await renew(link)).status, 303);
    assert.equal(await sent(), count);
    await pass(HOUR_MS - 1);
    await renew(link);
    assert.equal(await sent(), count);
    await pass(1);
  }
  await renew(link);
  assert.equal(await sent(), 5);
  assert.match(await wordsOf(link), /several links .* today, and the latest one works/);
  await pass(DAY_MS - 5 * HOUR_MS - 1);
  await renew(link);
  assert.equal(await sent(), 5);
  await pass(1);
  await renew(link);
  assert.equal(await sent(), 6);
});

test('twenty concurrent presses on two processes send one new link', async () => {
  const { organization, link } = await orderedAndExpired('live', ada);
  const other = await service.second();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => openLink(n % 2 ? service : other, `${link}/renew`, 'POST')),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
  assert.equal((await deliveries(organization)).length, 2);
});

test('a valid link is not renewed', async () => {
  const organization = await service.organization();
  await organization.live.order([gift({ delivery: ada })]);
  assert.equal((await renew(await linkOf(organization, 'live'))).status, 303);
  assert.equal((await deliveries(organization)).length, 1);
});

test('an expired link gift offers no new link', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([linkGift()]);
  const { link } = body.gifts[0].delivery;
  await pass(30 * DAY_MS);
  assert.match(await wordsOf(link), /Ask Test Organization for a new link/);
  const expired = await openLink(service, link);
  assert.ok(!expired.text.includes('<form'));
  await renew(link);
  assert.deepEqual(await deliveries(organization), []);
  assert.equal((await openLink(service, link)).text, expired.text);
});

test('a failed address gets no new link', async () => {
  const { organization, link } = await orderedAndExpired('sandbox', steered('bounced'));
  assert.match((await openLink(service, link)).text, /Ask <bdi>Test Organization<\/bdi> for a new link/);
  await renew(link);
  assert.equal((await deliveries(organization)).length, 1);
});

test('the new link of a claimed gift leads to its card', async () => {
  const { organization, link, giftId } = await orderedAndExpired('sandbox', steered('claimed'));
  await renew(link);
  const { text } = await openLink(service, await linkOf(organization, 'sandbox'));
  assert.ok(text.includes('Show number'));
  const { body } = await organization.sandbox.get(`/v1/gifts/${giftId}`);
  assert.equal(body.delivery.status, 'claimed');
});

test('reading an expired page sends nothing', async () => {
  const { organization, link } = await orderedAndExpired('live', ada);
  for (const method of ['GET', 'HEAD']) await openLink(service, link, method);
  const again = await openLink(service, `${link}/renew`);
  assert.deepEqual([again.status, again.headers.get('location')], [303, `../${link.slice(-76)}`]);
  assert.equal((await deliveries(organization)).length, 1);
});

test('a failed new link does not change the status of an opened gift', async () => {
  const { organization, link, giftId } = await orderedAndExpired('live', ada);
  await service.sql(`update gifts set opened_at = now(), delivery_state = 'delivered' where organization_id = $1`, [
    organization.organizationUuid,
  ]);
  await renew(link);
  const [first, renewal] = await deliveries(organization);
  const reference = {
    organizationId: organization.organizationUuid,
    environment: 'live' as const,
    giftId: decodeId('gift', giftId) ?? '',
    deliveryId: renewal?.delivery_id ?? '',
  };
  await recordEvents(service.service.deps, [{ reference, verdict: { reason: 'The mailbox does not exist.' } }]);
  assert.deepEqual(
    (await deliveries(organization)).map(({ state }) => state),
    [first?.state, 'failed'],
  );
  assert.equal((await organization.live.get(`/v1/gifts/${giftId}`)).body.delivery.status, 'opened');
});
