import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseOldRecipients } from '../../../src/capabilities/erasure/erase-old-recipients.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const DAY_MS = 86_400_000;
const service = openForFile(() => startTestService({ RETENTION_DAYS: '30' }));

const giftTo = (email: string) =>
  gift({
    delivery: { method: 'email', email },
    personalization: { recipient_name: 'Ada' },
    metadata: { team: 'engines' },
  });

const work = () => eraseOldRecipients(service.service.deps);
const pass = async (days: number) => {
  await service.clock.jump(days * DAY_MS);
  await work();
};

const held = ({ organizationUuid }: TestOrganization) =>
  service.sql<{ text: string }>(
    `select concat_ws(' ', g.address, g.recipient_name, g.metadata, o.metadata,
       (select string_agg(d.address, ' ' order by d.delivery_id) from deliveries d
        where d.organization_id = g.organization_id and d.gift_id = g.gift_id)) as text
     from gifts g join orders o using (organization_id, environment, order_id)
     where organization_id = $1 order by g.gift_id`,
    [organizationUuid],
  );
const texts = async (organization: TestOrganization) => (await held(organization)).map(({ text }) => text);

test('recipients of spent and canceled gifts are erased after their days, others stay', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const spent = (await sandbox.order([giftTo('claimed+spent@sandbox.gift.test')])).body.gifts[0];
  await sandbox.post(`/v1/sandbox/gifts/${spent.gift_id}/spend`);
  const { body } = await sandbox.order([giftTo('ann@example.com'), giftTo('claimed@sandbox.gift.test')]);
  const [canceled, claimed] = body.gifts;
  await sandbox.post(`/v1/gifts/${canceled.gift_id}/cancel`);
  const before = await texts(organization);
  await pass(29);
  assert.deepEqual(await texts(organization), before);
  await pass(1.5);
  const [first, second, third] = await texts(organization);
  assert.deepEqual([first, second, third], ['erased erased', 'erased erased', before[2]]);
  const shown = (await sandbox.get(`/v1/gifts/${canceled.gift_id}`)).body;
  assert.deepEqual([shown.delivery.email, shown.personalization.recipient_name], [undefined, undefined]);
  assert.deepEqual(
    await service.sql("select details from audit_events where organization_id = $1 and action = 'recipient.erased'", [
      organization.organizationUuid,
    ]),
    [{ details: { gifts: 2, orders_processing: 0 } }],
  );
  // Spent now, so its days begin.
  await sandbox.post(`/v1/sandbox/gifts/${claimed.gift_id}/spend`);
  await pass(2);
  await verifyAll(service);
});

test('what the holder of a link gift entered is erased too', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([linkGift()]);
  const { gift_id: giftId, delivery } = body.gifts[0];
  await createRecipient(service).press(delivery.link, 'claim', { holder_email: 'ada@example.com' });
  await organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/spend`);
  const address = async () =>
    (
      await service.sql('select holder_address from card_proofs where organization_id = $1', [
        organization.organizationUuid,
      ])
    )[0];
  assert.deepEqual(await address(), { holder_address: 'ada@example.com' });
  await pass(30.5);
  assert.deepEqual(await address(), { holder_address: null });
});

test('the days of a spent gift begin with its last purchase', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { body } = await sandbox.order([giftTo('claimed@sandbox.gift.test')]);
  await service.clock.jump(40 * DAY_MS);
  await sandbox.post(`/v1/sandbox/gifts/${body.gifts[0].gift_id}/spend`);
  const before = await texts(organization);
  await pass(29);
  assert.deepEqual(await texts(organization), before);
  await pass(2);
  assert.deepEqual(await texts(organization), ['erased erased']);
});

test('an order keeps its metadata while one of its gifts is not over', async () => {
  const { sandbox, organizationUuid } = await service.organization();
  const order = { gifts: [giftTo('spent@sandbox.gift.test'), linkGift(1_000)], metadata: { cost: 'center' } };
  await sandbox.post('/v1/orders', order, { 'Idempotency-Key': 'kept' });
  await pass(40);
  const metadata = async () =>
    (
      await service.sql<{ metadata: object }>('select metadata from orders where organization_id = $1', [
        organizationUuid,
      ])
    )[0];
  assert.deepEqual(await metadata(), { metadata: { cost: 'center' } });
});
