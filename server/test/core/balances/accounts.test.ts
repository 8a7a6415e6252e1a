import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { accounts, counterAccounts, type Leg } from '../../../src/core/balances/accounts.ts';
import { appendEntry } from '../../../src/core/balances/append-entry.ts';
import { readTrialBalance } from '../../../src/core/balances/trial-balance.ts';
import { inOrganization } from '../../../src/platform/database/in-organization.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const deps = () => service.service.deps;

async function sandboxAccounts({ organizationId }: TestOrganization, at = new Date(service.clock.now() + 500)) {
  const { environments } = await readTrialBalance(deps(), { at, organizationId });
  const sandbox = environments.find(({ environment }) => environment === 'sandbox');
  assert.equal(sandbox?.sum, 0);
  return Object.fromEntries(Object.entries(sandbox.accounts).filter(([, cents]) => cents !== 0));
}

const faults = async () =>
  (await verifyLedger(deps())).culprits.map(({ check, subject_id }) => [check, subject_id] as const);

/** Funds paid by card: the fee stays with the provider. */
const fund = (organization: TestOrganization, amountCents: number, legs: Leg[]) =>
  inOrganization(deps().database, organization.organizationUuid, (client) =>
    appendEntry(client, deps(), {
      organizationId: organization.organizationUuid,
      environment: 'sandbox',
      kind: 'funding',
      amountCents,
      reference: undefined,
      note: undefined,
      legs,
      actor: OPERATOR,
    }),
  );

test('a gift that is steered to spent has left the cards', async () => {
  const organization = await service.organization({ sandbox: 100_000, live: 0 });
  const { body } = await organization.sandbox.order([emailGift('spent'), emailGift('claimed')]);
  const [spent, claimed] = body.gifts.map(({ amount }: { amount: number }) => amount);
  const { gifts_on_cards, spent: cents } = await sandboxAccounts(organization);
  assert.deepEqual([gifts_on_cards, cents], [claimed, spent]);
  assert.deepEqual(await faults(), []);
});

test('every act moves value between two accounts, which are zero together', async () => {
  const organization = await service.organization({ sandbox: 100_000, live: 0 });
  const { sandbox } = organization;
  assert.deepEqual(await sandboxAccounts(organization), { available: 100_000, payment_clearing: -100_000 });
  const { body } = await sandbox.order([linkGift(2_500), emailGift('claimed'), linkGift(1_000)]);
  const [first, claimed] = body.gifts;
  const value = claimed.amount as number;
  assert.deepEqual(await sandboxAccounts(organization), {
    available: 100_000 - 3_500 - value,
    gifts_outstanding: 3_500,
    gifts_on_cards: value,
    payment_clearing: -100_000,
  });
  assert.equal((await sandbox.post(`/v1/gifts/${first.gift_id}/cancel`)).status, 200);
  assert.equal((await sandbox.post(`/v1/sandbox/gifts/${claimed.gift_id}/spend`)).status, 200);
  assert.deepEqual(await sandboxAccounts(organization), {
    available: 100_000 - 1_000 - value,
    gifts_outstanding: 1_000,
    spent: value,
    payment_clearing: -100_000,
  });
  assert.deepEqual(await faults(), []);
});

test('a trial balance shows the accounts as they were at a time', async () => {
  const organization = await service.organization({ sandbox: 10_000, live: 0 });
  await service.clock.advance(1_000);
  const at = new Date(service.clock.now());
  assert.equal((await organization.sandbox.order([emailGift('claimed')])).status, 201);
  assert.deepEqual(await sandboxAccounts(organization, at), { available: 10_000, payment_clearing: -10_000 });
  assert.deepEqual(await sandboxAccounts(organization, new Date(0)), {});
  const all = await readTrialBalance(deps(), { at: new Date(service.clock.now() + 1) });
  assert.deepEqual(
    all.environments.map(({ sum, accounts: sums }) => [sum, Object.keys(sums)]),
    [
      [0, Object.keys(accounts)],
      [0, Object.keys(accounts)],
    ],
  );
  assert.ok((all.environments[1]?.accounts.available ?? 0) > 10_000);
});

test('an entry with legs moves each account once, and only if all are zero together', async () => {
  const organization = await service.organization({ sandbox: 0, live: 0 });
  await fund(organization, 9_700, [
    { account: 'payment_clearing', amountCents: -10_000 },
    { account: 'fees', amountCents: 300 },
  ]);
  const expected = { available: 9_700, fees: 300, payment_clearing: -10_000 };
  assert.deepEqual(await sandboxAccounts(organization), expected);
  for (const legs of [
    [{ account: 'payment_clearing', amountCents: -10_000 }],
    [{ account: 'fees', amountCents: 300 }],
  ] as Leg[][])
    await assert.rejects(fund(organization, 9_700, legs), { code: '23514' });
  const twice = [-5_000, -4_700].map((amountCents): Leg => ({ account: 'payment_clearing', amountCents }));
  await assert.rejects(fund(organization, 9_700, twice), { code: '23505' });
  assert.deepEqual(await sandboxAccounts(organization), expected);
  assert.deepEqual(await faults(), []);
  assert.equal((await organization.sandbox.post('/v1/sandbox/reset')).status, 200);
  assert.deepEqual(await sandboxAccounts(organization), {});
});

test('the database knows the accounts, and every kind has a counter-account', async () => {
  const [{ definition = '' } = {}] = await service.sql<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'ledger_legs_account_check'`,
  );
  const known = [...definition.matchAll(/'(\w+)'::text/g)].map(([, account]) => account);
  assert.deepEqual(['available', ...known].sort(), Object.keys(accounts).sort());
  const kinds = await service.sql<{ kind: string }>('select unnest(enum_range(null::ledger_entry_kind))::text as kind');
  assert.deepEqual(kinds.map(({ kind }) => kind).sort(), Object.keys(counterAccounts).sort());
});

test('verify names an entry with wrong legs, and books that gifts do not explain', async () => {
  const organization = await service.organization({ sandbox: 10_000, live: 0 });
  const { body } = await organization.sandbox.order([linkGift(2_500), emailGift('claimed')]);
  await organization.sandbox.post(`/v1/sandbox/gifts/${body.gifts[1].gift_id}/spend`);
  await fund(organization, 100, [
    { account: 'payment_clearing', amountCents: -103 },
    { account: 'fees', amountCents: 3 },
  ]);
  const changes = [
    [`update ledger_legs set amount_cents = 4 where account = 'fees'`, 'an entry and its legs sum to zero', true],
    [`update ledger_legs set amount_cents = 4 where account = 'fees'`, 'the accounts sum to zero', false],
    ['update gifts set amount_cents = amount_cents + 1 where claimed_at is null', 'gifts outstanding', false],
    ['update gifts set spent_cents = spent_cents - 1 where claimed_at is not null', 'gifts on cards', false],
  ] as const;
  for (const [change, check, isNamed] of changes) {
    await service.sql(`set session_replication_role = replica`);
    try {
      await service.sql(`${change} and organization_id = $1`, [organization.organizationUuid]);
      const found = (await faults()).filter(([name]) => name.startsWith(check));
      assert.equal(found.length, 1, check);
      if (isNamed) assert.match(String(found[0]?.[1]), /^led_/);
    } finally {
      await service.sql(`update ledger_legs set amount_cents = 3 where account = 'fees' and organization_id = $1`, [
        organization.organizationUuid,
      ]);
      await service.sql(
        `update gifts set spent_cents = case when claimed_at is null then 0 else amount_cents end,
           amount_cents = case when claimed_at is null then 2500 else amount_cents end
         where organization_id = $1`,
        [organization.organizationUuid],
      );
      await service.sql('set session_replication_role = origin');
    }
  }
  assert.deepEqual(await faults(), []);
});
