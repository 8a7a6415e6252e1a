import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { providerSettings, sendPostmark, sentGift } from '../../harness/delivery-events.ts';
import { eventsDuring, typesDuring } from '../../harness/events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { mixedGifts, processed } from '../../harness/processing-orders.ts';
import { openLink, startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService(providerSettings));
const organization = openForFile(() => service.organization());

const during = (act: () => Promise<unknown>) => typesDuring(service, organization, 'sandbox', act);
const detailed = async (act: () => Promise<unknown>) =>
  (await eventsDuring(service, organization, 'sandbox', act)).map(({ type, data }) => [type, data]);
const simulate = (giftId: string, name: string) =>
  name === 'fail'
    ? organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/deliver`, { outcome: 'failed' })
    : organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/${name}`);
const order = async (...gifts: unknown[]) => (await organization.sandbox.order(gifts)).body;
const status = (shown: string) => ({ delivery: { status: shown } });

test('an order is one event, also with several gifts', async () => {
  const key = 'one event';
  const events = await eventsDuring(service, organization, 'sandbox', () =>
    organization.sandbox.order([linkGift(), gift(), gift()], key),
  );
  const [{ order_id, gift_id, type, data, created_at } = assert.fail(), ...more] = events;
  assert.deepEqual([gift_id, type, data, more], [null, 'order.created', { status: 'processed' }, []]);
  assert.equal(created_at.getTime(), service.clock.now());
  const replayed = async () => {
    const { body } = await organization.sandbox.order([linkGift(), gift(), gift()], key);
    assert.equal(decodeId('ord', body.order_id), order_id);
  };
  assert.deepEqual(await during(replayed), []);
  assert.deepEqual(await during(() => organization.sandbox.order([emailGift('insufficient-balance')])), []);
});

test('steered gifts tell all that happened to them, after their order', async () => {
  const steered = ['delivered', 'bounced', 'opened', 'claimed', 'spent'].map((name) => emailGift(name));
  const types = await during(() => order(...steered, linkGift()));
  const begun = ['gift.delivered', 'gift.opened', 'gift.claimed', 'gift.spent'];
  assert.deepEqual(types, [
    'order.created',
    'gift.delivered',
    'gift.delivery_failed',
    ...begun.slice(0, 2),
    ...begun.slice(0, 3),
    ...begun,
  ]);
});

test('a processing order tells when it is processed, and then of its later gifts', async () => {
  const body = await order;
  let orderId = '';
  const placed = await detailed(async () => {
    orderId = (await body(...mixedGifts)).order_id;
  });
  assert.deepEqual(placed, [
    ['order.created', { status: 'processing' }],
    ['gift.delivered', status('sent')],
    ['gift.opened', status('opened')],
  ]);
  const completed = await detailed(() => processed(service, organization.sandbox, orderId));
  assert.deepEqual(completed, [
    ['order.processed', { status: 'processed' }],
    ['gift.delivered', status('sent')],
    ['gift.opened', status('opened')],
    ['gift.claimed', status('claimed')],
    ['gift.delivery_failed', status('failed')],
  ]);
});

test('each act of a recipient is told once, with what it proves', async () => {
  const { gifts } = await order(gift(), linkGift(), linkGift(1000));
  const [email, link, third] = gifts.map(({ gift_id }: { gift_id: string }) => gift_id);
  assert.deepEqual(await detailed(() => simulate(email, 'open')), [
    ['gift.delivered', status('sent')],
    ['gift.opened', status('opened')],
  ]);
  assert.deepEqual(await during(() => simulate(email, 'open')), []);
  assert.deepEqual(await detailed(() => simulate(email, 'claim')), [['gift.claimed', status('claimed')]]);
  assert.deepEqual(await during(() => simulate(email, 'claim')), []);
  assert.deepEqual(await detailed(() => simulate(link, 'claim')), [
    ['gift.opened', status('opened')],
    ['gift.claimed', status('claimed')],
  ]);
  const spent = [['gift.spent', { purchase: { amount: 2500, amount_left: 0 } }]];
  assert.deepEqual(await detailed(() => simulate(link, 'spend')), spent);
  assert.deepEqual(await during(() => simulate(link, 'spend')), []);
  const url = gifts[2].delivery.link;
  assert.deepEqual(await during(() => openLink(service, `${url}/open`, 'POST')), ['gift.opened']);
  assert.deepEqual(await during(() => openLink(service, `${url}/claim`, 'POST')), ['gift.claimed']);
  assert.deepEqual(await during(() => simulate(third, 'open')), []);
});

test('concurrent openings and claims of a gift are told once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [{ gift_id: id }] = (await order(gift())).gifts;
    const acts = ['open', 'open', 'open', 'claim', 'claim', 'deliver', 'fail'];
    const types = await during(() => Promise.all(acts.map((name) => simulate(id, name))));
    const once = types.filter((type) => type !== 'gift.delivery_failed');
    // A failure before the opening leaves nothing to settle as delivered.
    assert.deepEqual(
      once.toSorted(),
      ['gift.claimed', 'gift.opened', 'gift.delivered'].slice(0, once.length).toSorted(),
    );
    assert.deepEqual(types.slice(-2), ['gift.opened', 'gift.claimed']);
  }
});

test('simulated deliveries are told if they change the gift', async () => {
  const [{ gift_id: id }] = (await order(gift())).gifts;
  assert.deepEqual(await detailed(() => simulate(id, 'fail')), [['gift.delivery_failed', status('failed')]]);
  assert.deepEqual(await during(() => simulate(id, 'fail')), []);
  assert.deepEqual(await detailed(() => simulate(id, 'deliver')), [['gift.delivered', status('sent')]]);
  assert.deepEqual(await during(() => simulate(id, 'deliver')), []);
});

test('webhook events of a provider are told if they change the gift', async () => {
  const one = await sentGift(service, organization);
  const report = (event: object) => () => sendPostmark(service, { ...event, Metadata: { delivery: one.reference } });
  const delivered = report({ RecordType: 'Delivery' });
  const bounced = report({ RecordType: 'Bounce', Type: 'HardBounce' });
  assert.deepEqual(await during(delivered), ['gift.delivered']);
  assert.deepEqual(await during(delivered), []);
  assert.deepEqual(await during(bounced), ['gift.delivery_failed']);
  assert.deepEqual(await during(bounced), []);
  const opened = await sentGift(service, organization);
  await simulate(opened.id, 'open');
  const late = { RecordType: 'Bounce', Type: 'HardBounce', Metadata: { delivery: opened.reference } };
  assert.deepEqual(await during(() => sendPostmark(service, late)), []);
});

test('a redirect, a new link and a resend are told apart, before what the address does', async () => {
  const redirected = (reason: string) => ['gift.redirected', { reason, ...status('sent') }];
  const [{ gift_id: id }] = (await order(emailGift('bounced'))).gifts;
  const to = (name: string) => ({ method: 'email', email: `${name}@sandbox.gift.test` });
  assert.deepEqual(await detailed(() => organization.sandbox.put(`/v1/gifts/${id}/delivery`, to('delivery-failed'))), [
    redirected('redirected'),
    ['gift.delivery_failed', status('failed')],
  ]);
  assert.deepEqual(await during(() => organization.sandbox.put(`/v1/gifts/${id}/delivery`, to('delivery-failed'))), []);
  assert.deepEqual(await during(() => organization.sandbox.put(`/v1/gifts/${id}/delivery`, to('spent'))), [
    'gift.redirected',
    'gift.delivered',
    'gift.opened',
    'gift.claimed',
    'gift.spent',
  ]);
  const [link, email] = (await order(linkGift(), emailGift('delivered'))).gifts;
  const replace = (giftId: string) => () => organization.sandbox.post(`/v1/gifts/${giftId}/link`);
  assert.deepEqual(await detailed(replace(link.gift_id)), [redirected('link_replaced')]);
  assert.deepEqual(await during(replace(email.gift_id)), ['gift.redirected', 'gift.delivered']);
  const [{ gift_id: neutral }] = (await order(emailGift('neutral'))).gifts;
  const resend = () => organization.sandbox.post(`/v1/gifts/${neutral}/resend`);
  assert.deepEqual(await detailed(resend), [redirected('resent')]);
});

test('an erased address fails its unopened gifts, and no event names a person', async () => {
  const recipient = { method: 'email', email: 'erased@example.com' } as const;
  const named = { delivery: recipient, personalization: { recipient_name: 'Ada Erased' } };
  const { gifts } = await order(gift(named), gift(named));
  await simulate(gifts[1].gift_id, 'open');
  const erase = () =>
    eraseRecipient(service.service.deps, { organizationId: organization.organizationId, recipient, actor: OPERATOR });
  assert.deepEqual(await detailed(erase), [['gift.delivery_failed', status('failed')]]);
  const [{ text } = { text: '' }] = await service.sql<{ text: string }>(
    `select string_agg(e::text, ' ') as text from events e`,
  );
  assert.doesNotMatch(text, /@|Ada/);
});
