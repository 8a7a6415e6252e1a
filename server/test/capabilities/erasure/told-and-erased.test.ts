import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { exportRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { chooseFake } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const ADA = 'Ada@Example.com';
const BOB = 'bob@example.com';
const personalization = { recipient_name: 'Ada' };
const sent = (email: string) => gift({ delivery: { method: 'email', email }, personalization });

async function buy({ live, sandbox }: TestOrganization, bought: object, isLive = false) {
  const { body } = await (isLive ? live : sandbox).order([bought]);
  const { gift_id: id, delivery } = body.gifts[0];
  return { id: id as string, link: delivery.link as string };
}

/** Sends a gift that did not arrive to another address. */
async function redirect({ sandbox }: TestOrganization, id: string, email: string) {
  await sandbox.post(`/v1/sandbox/gifts/${id}/deliver`, { outcome: 'failed' });
  assert.equal((await sandbox.put(`/v1/gifts/${id}/delivery`, { method: 'email', email })).status, 200);
}

/** Claims a link gift with the address. */
async function claim(organization: TestOrganization, holder_email: string) {
  const { id, link } = await buy(organization, { ...linkGift(), personalization }, true);
  assert.equal((await createRecipient(service).press(link, 'claim', { holder_email, digits: '' })).status, 303);
  return id;
}

test('a person is told of the same gifts that are erased', async () => {
  const organization = await service.organization();
  const now = await buy(organization, sent(ADA));
  const [from, to] = [await buy(organization, sent(ADA)), await buy(organization, sent(BOB))];
  await redirect(organization, from.id, BOB);
  await redirect(organization, to.id, ADA.toUpperCase());
  const claimed = await claim(organization, ADA);
  await claim(organization, BOB);
  const provider = await chooseFake([service], organization);
  provider.before = () => Promise.reject(new Error('The provider is down.'));
  const waits = await claim(organization, ADA);
  await buy(organization, sent(BOB));

  const recipient = { method: 'email', email: ADA } as const;
  const asked = { recipient, organizationId: organization.organizationId, actor: OPERATOR };
  const [held] = (await exportRecipient(service.service.deps, asked)).organizations as [
    { gifts: { gift_id: string }[] },
  ];
  const told = held.gifts.map(({ gift_id }) => gift_id).sort();
  assert.deepEqual(told, [now.id, from.id, to.id, claimed, waits].sort());
  await eraseRecipient(service.service.deps, asked);
  const erased = await service.sql<{ gift_id: string }>(
    'select gift_id from gifts where organization_id = $1 and recipient_name is null',
    [organization.organizationUuid],
  );
  assert.deepEqual(erased.map(({ gift_id }) => encodeId('gift', gift_id)).sort(), told);
});
