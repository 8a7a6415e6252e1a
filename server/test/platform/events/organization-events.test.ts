import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteSandbox } from '../../../src/capabilities/erasure/delete-sandbox.ts';
import { changeOrRepeat } from '../../../src/core/balances/change-balance.ts';
import { setBalanceAlert } from '../../../src/core/balances/set-balance-alert.ts';
import { warnOfLowBalances } from '../../../src/core/balances/warn-of-low-balances.ts';
import { createKey } from '../../../src/core/keys/create-key.ts';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { rollKey } from '../../../src/core/keys/roll-key.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { linkGift } from '../../harness/api-client.ts';
import { eventsDuring, eventsOf, typesDuring } from '../../harness/events.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const actor = OPERATOR;

const detailed = async (organization: TestOrganization, act: () => Promise<unknown>) =>
  (await eventsDuring(service, organization, 'live', act)).map(({ type, data }) => [type, data]);

test('funds and corrections give amount and balance; a repeated reference is silent', async () => {
  const organization = await service.organization({ live: 0 });
  const { organizationId } = organization;
  assert.deepEqual(
    (await detailed(organization, () => organization.fund('live', 5_000))).map(([type, data]) => [
      type,
      { ...(data as object), entry_id: '' },
    ]),
    [['balance.funded', { entry_id: '', kind: 'funding', amount: 5_000, balance: 5_000 }]],
  );
  const change = {
    organizationId,
    environment: 'live',
    kind: 'adjustment',
    amountCents: -1_000,
    reference: 'r1',
    note: 'n',
    actor,
  } as const;
  const adjust = () => changeOrRepeat(service.service.deps, change);
  const { entry_id } = (await adjust()).change;
  const [{ data } = assert.fail()] = (await eventsOf(service, organization, 'live')).slice(-1);
  assert.deepEqual(data, { entry_id, kind: 'adjustment', amount: -1_000, balance: 4_000 });
  assert.deepEqual(await detailed(organization, adjust), []);
});

test('a low balance is told with the mail about it', async () => {
  const organization = await service.organization({ live: 5_000 });
  const { organizationId } = organization;
  await setBalanceAlert(service.service.deps, { organizationId, environment: 'live', thresholdCents: 6_000, actor });
  const check = () => warnOfLowBalances(service.service.deps);
  const low = [['balance.low', { balance: 5_000, threshold: 6_000 }]];
  assert.deepEqual(await detailed(organization, () => Promise.all([check(), check()])), low);
});

test('keys are told in their environment when created and when revoked', async () => {
  const organization = await service.organization();
  const { organizationId } = organization;
  const { deps } = service.service;
  let keyId = '';
  const create = async () => {
    keyId = (await createKey(deps, { organizationId, environment: 'live', name: 'n', actor })).key_id;
  };
  const [created] = await detailed(organization, create);
  assert.deepEqual(created, ['key.created', { key_id: keyId }]);
  let rolledId = '';
  const roll = async () => {
    rolledId = (await rollKey(deps, { organizationId, keyId, overlapHours: 1, actor })).key_id;
  };
  const [rolled, ...more] = await detailed(organization, roll);
  assert.deepEqual([rolled, more], [['key.created', { key_id: rolledId }], []]);
  const revoke = () => revokeKey(deps, { organizationId, keyId, actor });
  assert.deepEqual(await detailed(organization, revoke), [['key.revoked', { key_id: keyId }]]);
  assert.deepEqual(await detailed(organization, revoke), []);
});

test('a suspension is told in both environments, once', async () => {
  const organization = await service.organization();
  const suspend = () =>
    suspendOrganization(service.service.deps, { organizationId: organization.organizationId, actor });
  const sandbox = () => typesDuring(service, organization, 'sandbox', suspend);
  assert.deepEqual(
    await typesDuring(service, organization, 'live', async () => {
      assert.deepEqual(await sandbox(), ['organization.suspended']);
    }),
    ['organization.suspended'],
  );
  assert.deepEqual(await sandbox(), []);
});

test('a reset of the sandbox begins a new stream whose sequences go on', async () => {
  const organization = await service.organization();
  await organization.sandbox.order([linkGift()]);
  const before = await eventsOf(service, organization, 'sandbox');
  const live = await eventsOf(service, organization, 'live');
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset')).status, 200);
  const after = await eventsOf(service, organization, 'sandbox');
  assert.deepEqual(
    after.map(({ sequence, type }) => [sequence, type]),
    [[Number(before.at(-1)?.sequence) + 1, 'sandbox.reset']],
  );
  assert.deepEqual(await eventsOf(service, organization, 'live'), live);
  await deleteSandbox(service.service.deps, { organizationId: organization.organizationId, actor });
  const deleted = await eventsOf(service, organization, 'sandbox');
  assert.deepEqual(
    deleted.map(({ type }) => type),
    ['sandbox.reset'],
  );
});

test('a key that is created during a reset does not come before the new stream', async () => {
  const organization = await service.organization();
  for (let round = 0; round < 5; round += 1) {
    const keys = Array.from({ length: 1 }, () => organization.newKey('sandbox'));
    await Promise.all([organization.sandbox.post('/v1/sandbox/reset'), ...keys]);
    const [first] = await eventsOf(service, organization, 'sandbox');
    assert.equal(first?.type, 'sandbox.reset');
  }
});
