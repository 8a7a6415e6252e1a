import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eraseGiftName } from '../../../src/capabilities/erasure/erase-gift-name.ts';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath } from '../../harness/portal-gifts.ts';
import { processed } from '../../harness/processing-orders.ts';
import { openLink, startTestService } from '../../harness/test-service.ts';

// `personalization.message` of gifts.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization({ sandbox: 100_000_000 }));
before(() => organization.addMembers());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const message = 'Dear Ada,\n\nthank you! 🎁\r\n— C.';
const written = (more: object = {}) => ({ personalization: { message, ...more } });
const link = (text: string) => ({ ...linkGift(), personalization: { message: text } });

test('every answer shows the message of a gift that has one', async () => {
  const { sandbox } = organization;
  const gifts = [{ ...linkGift(), ...written({ recipient_name: 'Ada' }) }, linkGift()];
  const placed = await sandbox.order(gifts, 'shown');
  const [first, second] = placed.body.gifts;
  const names = { sender_name: 'Test Organization', recipient_name: 'Ada' };
  assert.deepEqual(first.personalization, { ...names, message });
  assert.deepEqual(second.personalization, { sender_name: 'Test Organization' });
  const replay = await sandbox.order(gifts, 'shown');
  assert.deepEqual([replay.status, replay.body], [200, placed.body]);
  assert.deepEqual((await sandbox.get(`/v1/orders/${placed.body.order_id}`)).body, placed.body);
  assert.deepEqual((await sandbox.get('/v1/orders?limit=1')).body.data, [placed.body]);
  assert.deepEqual((await sandbox.get(`/v1/gifts/${first.gift_id}`)).body, first);
  assert.deepEqual((await sandbox.get('/v1/gifts?limit=2')).body.data, [second, first]);
  assert.deepEqual((await sandbox.get(`/v1/gifts?order_id=${placed.body.order_id}`)).body.data, [second, first]);
  const opened = await sandbox.post(`/v1/sandbox/gifts/${first.gift_id}/open`);
  assert.deepEqual(opened.body.personalization, first.personalization);
  const canceled = await sandbox.post(`/v1/gifts/${first.gift_id}/cancel`);
  assert.deepEqual(canceled.body.personalization, first.personalization);
});

test('the same key with another message is refused', async () => {
  const { sandbox } = organization;
  const { body } = await sandbox.order([link('One')], 'other message');
  assertError(await sandbox.order([link('Two')], 'other message'), 'idempotency_key_reused');
  assertError(await sandbox.order([linkGift()], 'other message'), 'idempotency_key_reused');
  assert.deepEqual((await sandbox.order([link('One')], 'other message')).body, body);
});

test('gifts of a processing order keep their message, also if it is canceled', async () => {
  const { sandbox } = organization;
  const place = async () => (await sandbox.order([{ ...emailGift('processing'), ...written() }])).body.order_id;
  const completed = await place();
  await processed(service, sandbox, completed);
  const canceled = await place();
  await sandbox.post(`/v1/orders/${canceled}/cancel`);
  for (const orderId of [completed, canceled]) {
    const { body } = await sandbox.get(`/v1/orders/${orderId}`);
    assert.deepEqual([body.status, body.gifts[0].personalization.message], ['processed', message]);
  }
});

test('a message has 1 to 500 code points and no control character but line breaks', async () => {
  const { sandbox } = organization;
  for (const text of ['x', '🎁'.repeat(500), '\n', 'a\r\nb', '\u202eabc\u200f', '<b>&"'])
    assert.equal((await sandbox.order([link(text)])).body.gifts?.[0].personalization.message, text);
  const refused = ['', 'x'.repeat(501), '🎁'.repeat(501), 'a\rb', 'a\r', 'a\tb', 'a\u0000', '\u0085', '\u2028', 7, []];
  for (const text of refused)
    assertError(await sandbox.order([link(text as string)]), 'parameter_invalid', 'gifts[0].personalization.message');
  assertError(await sandbox.order([link('\ud800')]), 'parameter_invalid', 'gifts[0].personalization.message');
  const absent = await sandbox.order([link(null as unknown as string)]);
  assert.deepEqual(absent.body.gifts[0].personalization, { sender_name: 'Test Organization' });
});

test('the recipient’s page shows the message as text, after the gift is unwrapped', async () => {
  const { sandbox } = organization;
  const hostile = '</blockquote><script>alert(1)</script>\n<a href="https://evil.test">x</a>\n\n\n\n\u202eevil';
  const { body } = await sandbox.order([link(hostile)]);
  const [{ gift_id, delivery }] = body.gifts;
  const shown =
    '&#60;/blockquote&#62;&#60;script&#62;alert(1)&#60;/script&#62;\n&#60;a href&#61;&#34;https://evil.test&#34;&#62;x&#60;/a&#62;\n\nevil';
  const page = async () => (await openLink(service, delivery.link)).text;
  assert.ok(!(await page()).includes('evil'));
  for (const act of ['open', 'claim']) {
    await sandbox.post(`/v1/sandbox/gifts/${gift_id}/${act}`);
    const text = await page();
    assert.ok(text.includes(`<figure class="letter" dir="auto">\n<blockquote>${shown}</blockquote>`), text);
    assert.ok(!text.includes('<script>alert') && !text.includes('href="https://evil'), act);
  }
});

test('the portal shows the message of a gift', async () => {
  const { body } = await organization.sandbox.order([{ ...linkGift(), ...written() }, linkGift()]);
  const messages = await Promise.all(
    body.gifts.map(async ({ gift_id }: { gift_id: string }) => {
      const { gift: shown } = (await admin.call('GET', giftsPath(organization, `/${gift_id}`))).body;
      return shown.message;
    }),
  );
  assert.deepEqual(messages, [message, null]);
});

test('a message is erased with its recipient, or with the name of a link gift', async () => {
  const { sandbox, organizationId } = organization;
  const email = 'erased@example.com';
  const to = gift({ delivery: { method: 'email', email }, personalization: { message: 'To be erased' } });
  const order = await sandbox.order([to, link('Erased by id')]);
  const waiting = { ...emailGift('processing'), ...written() };
  const processing = await sandbox.order([waiting, to]);
  const recipient = { method: 'email', email } as const;
  await eraseRecipient(service.service.deps, { organizationId, recipient, actor: OPERATOR });
  const giftId = order.body.gifts[1].gift_id;
  assert.equal(await eraseGiftName(service.service.deps, { giftId, actor: OPERATOR }), 1);
  assert.equal(await eraseGiftName(service.service.deps, { giftId, actor: OPERATOR }), 0);
  await processed(service, sandbox, processing.body.order_id);
  const rows = await service.sql<{ message: string | null }>(
    `select message from gifts where organization_id = $1 and order_id = any ($2) order by order_id, position`,
    [organization.organizationUuid, [order, processing].map(({ body }) => decodeId('ord', body.order_id))],
  );
  assert.deepEqual(
    rows.map((row) => row.message),
    [null, null, message, null],
  );
});
