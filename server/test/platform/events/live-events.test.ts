import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailGift, gift } from '../../harness/api-client.ts';
import { eventsDuring, eventsOf, typesDuring } from '../../harness/events.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openMailService } from '../../harness/mail-service.ts';

const { mail, service, organization } = openMailService({ VALUE_PER_RECIPIENT_PER_DAY: '5000' });

const until = (type: string) =>
  workUntil(service, async () => (await eventsOf(service, organization, 'live')).at(-1)?.type === type, type);

test('a message that the provider accepted is told', async () => {
  const order = () => organization.live.order([gift({ amount: 1000 })]);
  const events = await eventsDuring(service, organization, 'live', async () => {
    await order();
    await until('gift.sent');
  });
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      ['order.created', { status: 'processed' }],
      ['gift.sent', { delivery: { status: 'sent' } }],
    ],
  );
});

test('a refused message is a failed delivery, and its redirect under a cap is told', async () => {
  mail.answer(() => ({ code: 550, text: '5.1.1 No such mailbox' }));
  const { body } = await organization.live.order([
    gift({ amount: 4000, delivery: { method: 'email', email: 'refused@example.com' } }),
  ]);
  await until('gift.delivery_failed');
  const redirect = (email: string) =>
    organization.live.put(`/v1/gifts/${body.gifts[0].gift_id}/delivery`, { method: 'email', email });
  mail.answer(() => 'accept');

  assert.deepEqual(
    await typesDuring(service, organization, 'live', async () => {
      assert.equal((await redirect('other@example.com')).status, 200);
    }),
    ['gift.redirected'],
  );
});

test('a refused order, also one with a steered address, is not told', async () => {
  assert.deepEqual(
    await typesDuring(service, organization, 'live', () => organization.live.order([emailGift('opened')])),
    [],
  );
});
