import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { decodeReference, encodeReference } from '../../../src/platform/messaging/reference.ts';
import { startAmazonSns } from '../../harness/amazon-sns.ts';
import { type Answer, gift } from '../../harness/api-client.ts';
import {
  assertTaken,
  assertUnchanged,
  latestReference,
  providerSettings,
  type SentGift,
  sendPostmark,
  sendSendgrid,
  sendSes,
  sendTwilio,
  sentGift,
  standing,
} from '../../harness/delivery-events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

// Rules for the webhook events of every provider; see docs/decisions.md#gift-status.

const sns = openForFile(startAmazonSns);
const service = openForFile(() => startTestService(providerSettings));
const other = openForFile(() => service.second());
const organization = openForFile(() => service.organization());

interface Provider {
  delivery: Record<string, unknown>;
  redirected: Record<string, unknown>;
  delivered(to: TestService, reference: string): Promise<Answer>;
  failed(to: TestService, reference: string): Promise<Answer>;
  reason: string;
}

const email = {
  delivery: { method: 'email', email: 'ada@example.com' },
  redirected: { method: 'email', email: 'ada.lovelace@example.com' },
};
const sesEvent = (reference: string, type: string, more = {}) => ({
  eventType: type,
  mail: { messageId: '0100', tags: { delivery: [reference] } },
  ...more,
});
const permanent = { bounce: { bounceType: 'Permanent', bounceSubType: 'General' } };

const providers: Record<string, Provider> = {
  ses: {
    ...email,
    delivered: (to, reference) => sendSes(to, sns, sesEvent(reference, 'Delivery')),
    failed: (to, reference) => sendSes(to, sns, sesEvent(reference, 'Bounce', permanent)),
    reason: 'hard bounce',
  },
  sendgrid: {
    ...email,
    delivered: (to, delivery) => sendSendgrid(to, [{ event: 'delivered', delivery }]),
    failed: (to, delivery) => sendSendgrid(to, [{ event: 'bounce', type: 'bounce', delivery }]),
    reason: 'hard bounce',
  },
  postmark: {
    ...email,
    delivered: (to, delivery) => sendPostmark(to, { RecordType: 'Delivery', Metadata: { delivery } }),
    failed: (to, delivery) => sendPostmark(to, { RecordType: 'Bounce', Type: 'HardBounce', Metadata: { delivery } }),
    reason: 'hard bounce',
  },
  twilio: {
    delivery: { method: 'phone', phone: '+12025550143' },
    redirected: { method: 'phone', phone: '+12025550144' },
    delivered: (to, reference) => sendTwilio(to, reference, { MessageStatus: 'delivered' }),
    failed: (to, reference) => sendTwilio(to, reference, { MessageStatus: 'undelivered', ErrorCode: '30004' }),
    reason: 'blocked by the recipient or the carrier',
  },
};

for (const [name, { delivery, redirected, delivered, failed, reason }] of Object.entries(providers)) {
  const sent = () => sentGift(service, organization, gift({ delivery }));
  const redirect = (one: SentGift) => one.client.put(`/v1/gifts/${one.id}/delivery`, redirected);
  const act = (one: SentGift, path: string) => one.client.post(`/v1/sandbox/gifts/${one.id}/${path}`);
  const unchangedBy = (one: SentGift, reference: string) =>
    assertUnchanged(service, one, async () => {
      for (const tell of [failed, delivered]) assertTaken(await tell(service, reference));
    });

  test(`${name}: an event settles only its delivery, with the time`, async () => {
    const [arrived, lost, neighbour] = [await sent(), await sent(), await sent()];
    const uuids = [arrived.uuid, lost.uuid];
    await service.sql(`update deliveries set state = 'sent' where gift_id = any($1)`, [uuids]);
    await service.clock.advance(1_000);
    await assertUnchanged(service, neighbour, async () => {
      assertTaken(await delivered(service, arrived.reference));
      assertTaken(await failed(service, lost.reference));
    });
    assert.deepEqual(await standing(service, arrived), ['sent', 'delivered']);
    assert.deepEqual(await standing(service, lost), ['failed', `failed: ${reason}`]);
    const settled = await service.sql('select settled_at from deliveries where gift_id = any($1)', [uuids]);
    const now = new Date(service.clock.now());
    assert.deepEqual(settled, [{ settled_at: now }, { settled_at: now }]);
  });

  test(`${name}: a repeated call changes nothing, not even the time`, async () => {
    for (const tell of [delivered, failed]) {
      const one = await sent();
      assertTaken(await tell(service, one.reference));
      await service.clock.jump(60_000);
      await assertUnchanged(service, one, async () => {
        for (const to of [service, other]) assertTaken(await tell(to, one.reference));
      });
    }
  });

  test(`${name}: a failure is final, also before a delivered event`, async () => {
    const one = await sent();
    assertTaken(await failed(service, one.reference));
    await unchangedBy(one, one.reference);

    const second = await sent();
    assertTaken(await delivered(service, second.reference));
    assertTaken(await failed(service, second.reference));
    assert.deepEqual(await standing(service, second), ['failed', `failed: ${reason}`]);
  });

  test(`${name}: of simultaneous delivered and failed events, the failure wins`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await sent();
      const tells = [delivered, failed, delivered, failed, delivered, failed];
      const answers = await Promise.all(tells.map((tell, index) => tell(index < 3 ? service : other, one.reference)));
      for (const answer of answers) assertTaken(answer);
      assert.deepEqual(await standing(service, one), ['failed', `failed: ${reason}`]);
    }
  });

  test(`${name}: events for opened or claimed gifts change nothing`, async () => {
    for (const path of ['open', 'claim']) {
      const one = await sent();
      assert.equal((await act(one, path)).status, 200);
      await unchangedBy(one, one.reference);
      assert.deepEqual(await standing(service, one), [path === 'open' ? 'opened' : 'claimed', 'delivered']);
    }
  });

  test(`${name}: a simultaneous bounce never fails a claimed gift`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await sent();
      const bounces = [service, other].map((to) => failed(to, one.reference));
      const [claimed] = await Promise.all([act(one, 'claim'), ...bounces]);
      assert.equal(claimed.status, 200);
      assert.equal((await standing(service, one))[0], 'claimed');
    }
  });

  test(`${name}: events for messages before a redirect change nothing`, async () => {
    const one = await sent();
    assertTaken(await failed(service, one.reference));
    assert.equal((await redirect(one)).status, 200);
    await unchangedBy(one, one.reference);
    assert.deepEqual(await standing(service, one), ['sent', `failed: ${reason}`, 'pending']);

    const reference = await latestReference(service, organization, one.uuid);
    assertTaken(await failed(service, reference));
    assert.deepEqual(await standing(service, one), ['failed', `failed: ${reason}`, `failed: ${reason}`]);
  });

  test(`${name}: a simultaneous bounce never fails the redirected message`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await sent();
      assertTaken(await failed(service, one.reference));
      await Promise.all([redirect(one), failed(service, one.reference), delivered(other, one.reference)]);
      assert.deepEqual(await standing(service, one), ['sent', `failed: ${reason}`, 'pending']);
    }
  });

  // A renewed link goes to the same address in a second message, while the first is still in progress.
  test(`${name}: only the latest message decides the gift’s delivery status`, async () => {
    const one = await sent();
    await service.sql(
      `with new as (update gifts set delivery_id = $2 where gift_id = $1)
       insert into deliveries select (jsonb_populate_record(d, jsonb_build_object('delivery_id', $2::uuid))).*
       from deliveries d where gift_id = $1`,
      [one.uuid, 'ffffffff-ffff-7fff-bfff-ffffffffffff'],
    );
    assertTaken(await failed(service, one.reference));
    assert.deepEqual(await standing(service, one), ['sent', `failed: ${reason}`, 'pending']);
    assertTaken(await delivered(service, await latestReference(service, organization, one.uuid)));
    assert.deepEqual(await standing(service, one), ['sent', `failed: ${reason}`, 'delivered']);
  });

  test(`${name}: events with unknown or foreign references change nothing`, async () => {
    const one = await sent();
    const stranger = await service.organization();
    const known = decodeReference(one.reference) ?? assert.fail();
    const references = [
      encodeReference({ ...known, deliveryId: randomUUID() }),
      encodeReference({ ...known, giftId: randomUUID() }),
      encodeReference({ ...known, organizationId: stranger.organizationUuid }),
      encodeReference({ ...known, environment: 'live' }),
      one.reference.slice(1),
      `${one.reference}0`,
      one.reference.toUpperCase(),
      'nonsense',
      '',
    ];
    for (const reference of references) await unchangedBy(one, reference);
  });

  test(`${name}: events for gifts deleted by a reset change nothing`, async () => {
    const passing = await service.organization();
    const one = await sentGift(service, passing, gift({ delivery }));
    assert.equal((await passing.sandbox.post('/v1/sandbox/reset')).status, 200);
    assertTaken(await failed(service, one.reference));
    assertTaken(await delivered(service, one.reference));
  });
}
