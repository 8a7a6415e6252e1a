import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, assertError, emailGift, gift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// Steering by `PUT /v1/gifts/{gift_id}/delivery` (docs/decisions.md#sandbox-steering).

const service = openForFile(() => startTestService());

const byEmail = (email: string) => ({ method: 'email', email });
const byPhone = (phone: string) => ({ method: 'phone', phone });

const rowOf = async ({ organizationUuid }: TestOrganization) => {
  const [row] = await service.sql('select * from gifts where organization_id = $1', [organizationUuid]);
  return row ?? {};
};

async function failedGift({ sandbox }: TestOrganization): Promise<{ gift_id: string }> {
  const { body } = await sandbox.order([emailGift('delivery-failed+first')]);
  return body.gifts[0];
}

/** Neutral addresses stay pending. */
const table = [
  ['delivered', '+12025550100', 'sent', 'delivered', 0],
  ['delivery-failed', '+12025550101', 'failed', 'failed', 0],
  ['Bounced+9', '+12025550101', 'failed', 'failed', 0],
  ['opened', '+12025550102', 'opened', 'delivered', 0],
  ['claimed', '+12025550103', 'claimed', 'delivered', 0],
  ['spent', '+12025550104', 'claimed', 'delivered', 2500],
  ['processing', '+12025550105', 'sent', 'pending', 0],
  ['insufficient-balance', '+12025550106', 'sent', 'pending', 0],
  ['someone', '+12025550199', 'sent', 'pending', 0],
] as const;

for (const [localPart, number, status, deliveryState, spentCents] of table)
  test(`a redirect to ${localPart} or ${number} takes effect at once`, async () => {
    for (const target of [byEmail(`${localPart}@sandbox.gift.test`), byPhone(number)]) {
      const organization = await service.organization();
      const before = await failedGift(organization);
      const { sandbox } = organization;
      const answer = await sandbox.put(`/v1/gifts/${before.gift_id}/delivery`, target);
      const now = { ...before, delivery: { ...target, status } };
      assert.deepEqual([answer.status, answer.body], [200, now]);
      assert.deepEqual((await sandbox.get(`/v1/gifts/${before.gift_id}`)).body, now);
      const { delivery_state: state, spent_cents: spent, opened_at, claimed_at, card_id } = await rowOf(organization);
      assert.deepEqual([state, spent], [deliveryState, spentCents]);
      assert.equal(opened_at !== null, status === 'opened' || status === 'claimed');
      assert.deepEqual([claimed_at !== null, card_id !== null], [status === 'claimed', status === 'claimed']);
      assert.deepEqual((await sandbox.get('/v1/orders')).body.data[0].status, 'processed');
    }
  });

test('a redirect to internal-error is 500 and changes nothing', async () => {
  const organization = await service.organization();
  const { gift_id } = await failedGift(organization);
  const before = await rowOf(organization);
  const path = `/v1/gifts/${gift_id}/delivery`;
  const answers: Answer[] = [];
  for (const target of [byEmail('internal-error@sandbox.gift.test'), byPhone('+1 (202) 555-0107')])
    answers.push(await organization.sandbox.put(path, target));
  for (const answer of answers) assertError(answer, 'internal_error');
  assert.deepEqual(await rowOf(organization), before);
  assert.equal((await organization.sandbox.put(path, byEmail('delivered@sandbox.gift.test'))).status, 200);
  // The state is checked before the steering.
  assertError(
    await organization.sandbox.put(path, byEmail('internal-error@sandbox.gift.test')),
    'gift_delivery_not_updatable',
  );
});

test('a live redirect is never steered; the sandbox mail domain is refused', async () => {
  const organization = await service.organization();
  const { live, organizationUuid } = organization;
  const { body } = await live.order([gift()]);
  const [bought] = body.gifts;
  const path = `/v1/gifts/${bought.gift_id}/delivery`;
  const bounce = () =>
    service.sql(`update gifts set delivery_state = 'failed' where organization_id = $1`, [organizationUuid]);
  await bounce();
  const before = await rowOf(organization);
  for (const email of [
    'delivered@sandbox.gift.test',
    'someone@SANDBOX.gift.test',
    'internal-error+1@sandbox.gift.test',
  ])
    assertError(await live.put(path, byEmail(email)), 'parameter_invalid', 'email');
  assert.deepEqual(await rowOf(organization), before);
  for (const target of [byPhone('+12025550107'), byPhone('+12025550103'), byEmail('claimed@asandbox.gift.test')]) {
    const answer = await live.put(path, target);
    assert.deepEqual([answer.status, answer.body], [200, { ...bought, delivery: { ...target, status: 'sent' } }]);
    assert.equal((await rowOf(organization))['delivery_state'], 'pending');
    await bounce();
  }
});
