import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportRecipient, type HeldRecipient } from '../../../src/capabilities/reports/export-recipient.ts';
import { emailGift, gift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const giftTo = (email: string, more: object = {}) => gift({ delivery: { method: 'email', email }, ...more });
// biome-ignore lint/suspicious/noExplicitAny: the file's JSON
const asJson = (held: HeldRecipient): any => JSON.parse(JSON.stringify(held));

const held = async (email: string, organizationId?: string) =>
  asJson(
    await exportRecipient(service.service.deps, {
      organizationId,
      recipient: { method: 'email', email },
      actor: OPERATOR,
    }),
  );

test('an export has gifts, messages, purchases and events of an address in any case', async () => {
  const { organizationId, sandbox } = await service.organization();
  const ada = 'Spent@sandbox.gift.test';
  const personalization = { recipient_name: 'Ada Lovelace' };
  const order = { gifts: [giftTo(ada, { personalization, metadata: { team: 'engines' } }), emailGift('bob')] };
  assert.equal((await sandbox.post('/v1/orders', order, { 'Idempotency-Key': 'a' })).status, 201);
  await sandbox.order([emailGift('processing'), giftTo(ada)]);
  const { address, organizations, memberships } = await held(ada.toUpperCase());
  assert.deepEqual([address, organizations.length, memberships], [ada.toLowerCase(), 1, []]);
  const [{ organization_id, gifts, events, pending_gifts }] = organizations;
  assert.deepEqual([organization_id, gifts.length, pending_gifts.length], [organizationId, 1, 1]);
  const [{ recipient_name, metadata, messages, spent, amount }] = gifts;
  assert.deepEqual([recipient_name, metadata, spent], ['Ada Lovelace', { team: 'engines' }, amount]);
  assert.deepEqual([messages.length, messages[0].address], [1, ada]);
  assert.ok(events.some(({ type }: { type: string }) => type === 'gift.spent'));
  assert.doesNotMatch(JSON.stringify(organizations), /bob/);
});

test('a redirected gift tells nothing of the person who has it now', async () => {
  const { sandbox } = await service.organization();
  const { body } = await sandbox.order([giftTo('old@sandbox.gift.test')]);
  const giftId = body.gifts[0].gift_id;
  await sandbox.post(`/v1/sandbox/gifts/${giftId}/deliver`, { outcome: 'failed' });
  const to = { method: 'email', email: 'new@example.com' };
  assert.equal((await sandbox.put(`/v1/gifts/${giftId}/delivery`, to)).status, 200);
  for (const act of ['open', 'claim', 'spend']) await sandbox.post(`/v1/sandbox/gifts/${giftId}/${act}`);
  const { organizations } = await held('old@sandbox.gift.test');
  const [{ gifts, events }] = organizations;
  assert.deepEqual([gifts.length, gifts[0].is_redirected, gifts[0].claimed_at, events], [1, true, undefined, []]);
  assert.doesNotMatch(JSON.stringify(organizations), /new@/);
});

test('purchases with a gift’s card are in the export', async () => {
  const { sandbox, organizationId } = await service.organization();
  const { body } = await sandbox.order([giftTo('claimed@sandbox.gift.test')]);
  const { code, stderr } = await runBestow(service.target, ['card', 'spend', body.gifts[0].gift_id, '--amount', '500']);
  assert.equal(code, 0, stderr);
  const { organizations } = await held('claimed@sandbox.gift.test', organizationId);
  const [{ kind, amount }] = organizations[0].gifts[0].purchases;
  assert.deepEqual([kind, amount], ['purchase', 500]);
});

test('the command writes a private file and an audit event', async () => {
  const organization = await service.organization();
  await service.organization();
  await organization.live.order([giftTo('grace@example.com')]);
  const directory = await mkdtemp(join(tmpdir(), 'bestow-export-'));
  try {
    const file = join(directory, 'grace.json');
    const args = ['recipient', 'export', '--email', 'Grace@example.com', '--file', file];
    const { code, stdout, stderr } = await runBestow(service.target, args);
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal(JSON.parse(await readFile(file, 'utf8')).organizations.length, 1);
    assert.deepEqual(
      await service.sql(
        "select organization_id, details from audit_events where action = 'recipient.exported' and actor_kind = 'operator' and details ->> 'gifts' = '1' and organization_id = $1",
        [organization.organizationUuid],
      ),
      [{ organization_id: organization.organizationUuid, details: { gifts: 1 } }],
    );
    assert.equal((await runBestow(service.target, args)).code, 1);
  } finally {
    await rm(directory, { recursive: true });
  }
});
