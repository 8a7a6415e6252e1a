import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { FUNDS, raceForGift } from '../../harness/gift-race.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { startTestService, type TestService } from '../../harness/test-service.ts';

/** `npm run faults -- --only gift-race` has more, over processes. */
const ROUNDS = 4;

let service: TestService;
let other: TestService;
before(async () => {
  service = await startTestService();
  other = await service.second();
});
after(async () => {
  await verifyAll(service);
  await service.close();
});

const callerOf = ({ api, service: { deps } }: TestService) => ({ api, deps });

test('of a hundred concurrent acts on a gift, one claim or one cancellation wins', async () => {
  for (let round = 0; round < ROUNDS; round += 1)
    await raceForGift(service, [callerOf(service), callerOf(other)], round);
});

test('an order that is completed and canceled at the same moment loses no cent', async () => {
  for (let round = 0; round < 4; round += 1) {
    const organization = await service.organization({ sandbox: FUNDS });
    const { body: order } = await organization.sandbox.order([linkGift(1000), emailGift('processing', 2000)]);
    const cancel = (from: TestService) =>
      from.api(organization.keys.sandbox).post(`/v1/orders/${order.order_id}/cancel`);
    const answers = await Promise.all([service.clock.advance(21_000), cancel(service), cancel(other)]);
    for (const answer of answers.slice(1)) assert.equal((answer as { status: number }).status, 200);
    const { body } = await organization.sandbox.get(`/v1/orders/${order.order_id}`);
    assert.deepEqual(
      body.gifts.map(({ cancellation }: { cancellation: { refunded: number } }) => cancellation.refunded),
      [1000, 2000],
    );
    assert.equal(await balanceOf(service, organization, 'sandbox'), FUNDS);
  }
});
