import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revokeKey } from '../../src/keys/revoke-key.ts';
import { linkGift } from '../harness/api-client.ts';
import { keyIdOf } from '../harness/key-id.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { OPERATOR } from '../harness/operator.ts';
import { startTestService, type TestOrganization } from '../harness/test-service.ts';

// Reads of gifts whose statement checks the key; recalled-keys.test.ts has the refusals.

const service = openForFile(() => startTestService());
const other = openForFile(() => service.second());

const revoke = async ({ organizationId, keys }: TestOrganization) =>
  revokeKey(other.service.deps, { organizationId, keyId: await keyIdOf(service, keys.sandbox), actor: OPERATOR });

async function organizationWithGift() {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([linkGift()]);
  return { organization, giftId: body.gifts[0].gift_id as string };
}

for (const [name, path] of [
  ['gift', (giftId: string) => `/v1/gifts/${giftId}`],
  ['page of gifts', () => '/v1/gifts'],
] as const) {
  test(`no ${name} is shown after a revocation, and none is missing before`, async () => {
    const { organization, giftId } = await organizationWithGift();
    const { sandbox } = organization;
    let isRevoked = false;
    const late: number[] = [];
    const reading = Array.from({ length: 16 }, async () => {
      for (let seen = 0; seen < 3; ) {
        const began = isRevoked;
        const { status, body } = await sandbox.get(path(giftId));
        if (began) {
          late.push(status);
          seen += 1;
        }
        if (status === 401) assert.equal(body.error.code, 'api_key_revoked');
        else assert.ok(JSON.stringify(body).includes(giftId));
      }
    });
    await sandbox.get(path(giftId));
    await revoke(organization);
    isRevoked = true;
    await Promise.all(reading);
    assert.deepEqual([...new Set(late)], [401]);
  });
}

test('one batch shows each gift only to its organization’s valid key', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, organizationWithGift));
  await Promise.all(all.filter((_, n) => n % 2 === 0).map(({ organization }) => revoke(organization)));
  const answers = await Promise.all(
    all.map(({ organization }, n) => organization.sandbox.get(`/v1/gifts/${(n < 6 ? all[n] : all[1])?.giftId}`)),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 200, 401, 200, 401, 200, 401, 404],
  );
  for (const n of [1, 3, 5]) assert.equal(answers[n]?.body.gift_id, all[n]?.giftId);
});
