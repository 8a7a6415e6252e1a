import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followTransfer } from '../../../src/capabilities/topups/follow-transfer.ts';
import { listAllTopups } from '../../../src/capabilities/topups/list-topups.ts';
import { reconcileStripe } from '../../../src/capabilities/topups/reconcile.ts';
import { gift } from '../../harness/api-client.ts';
import { workUntil } from '../../harness/mail-server.ts';
import {
  accountsOf,
  customerOf,
  type Funded,
  liveBalance,
  newPayer,
  openTopups,
  owedBy,
  topUp,
  topupsOf,
} from '../../harness/topups.ts';
import type { Json } from '../stripe/account.ts';

const DAY_MS = 86_400_000;
const service = openTopups();
const balance = (payer: Funded) => liveBalance(service, payer);

test('each transfer to the organization’s account is credited once', async () => {
  const payer = await newPayer(service);
  const account = async () => (await payer.client.call('POST', `${payer.path}/bank-account`)).body.account;
  const lines = await account();
  assert.deepEqual(
    lines.map(({ label }: { label: string }) => label),
    ['Account holder', 'Bank', 'Routing number', 'Account number'],
  );
  assert.deepEqual(await account(), lines, 'the same account each time');
  const customer = await customerOf(service, payer);
  for (const amount of [12_345, 500]) service.stripe.acts.transfer(customer, amount, 'usd', 'Invoice\0 7');
  await service.settle({ copies: 3, concurrently: true });
  assert.equal(await balance(payer), 12_845);
  assert.deepEqual(
    (await topupsOf(payer)).map(({ kind, state, fee }: Record<string, unknown>) => [kind, state, fee]),
    [
      ['bank_transfer', 'succeeded', 0],
      ['bank_transfer', 'succeeded', 0],
    ],
  );
});

test('a transfer that its bank takes back is taken back once, credited or not', async () => {
  const payer = await newPayer(service);
  await payer.client.call('POST', `${payer.path}/bank-account`);
  const customer = await customerOf(service, payer);
  const { acts } = service.stripe;
  for (const amount of [8_000, 5_000]) acts.transfer(customer, amount);
  await service.settle();
  assert.equal((await payer.organization.live.order([gift({ amount: 11_000 })])).status, 201);
  acts.returnTransfer(customer, 8_000);
  await service.settle({ copies: 3 });
  assert.deepEqual([await balance(payer), await owedBy(payer)], [0, 6_000]);
  assert.deepEqual(await accountsOf(service, payer), {
    receivable: -6_000,
    gifts_outstanding: 11_000,
    payment_clearing: -5_000 + 65,
    fees: -65,
  });
  // This one is returned before it is credited.
  acts.transfer(customer, 7_000);
  acts.returnTransfer(customer, 7_000);
  await service.settle({ copies: 2 });
  const topups = await topupsOf(payer);
  const [latest] = topups;
  const first = topups.find(({ amount }: { amount: number }) => amount === 8_000);
  assert.deepEqual([latest.state, latest.failure], ['failed', 'The bank took the transfer back.']);
  assert.deepEqual([first.taken_back, await owedBy(payer)], [8_000, 6_000]);
  // The next one is not taken by the payment of the returned one.
  acts.transfer(customer, 9_000);
  await service.settle();
  assert.deepEqual([await balance(payer), await owedBy(payer)], [3_000, 0]);
});

test('returns that two processes handle at once are each taken back once', async () => {
  const other = await service.second();
  for (const isCredited of [true, false]) {
    const payer = await newPayer(service);
    await payer.client.call('POST', `${payer.path}/bank-account`);
    const customer = await customerOf(service, payer);
    const { acts, account } = service.stripe;
    acts.transfer(customer, 5_000);
    await service.settle();
    // Ids of one millisecond from two processes have no order.
    await service.clock.jump(1_000);
    acts.transfer(customer, 5_000);
    if (isCredited) await service.settle();
    for (let count = 0; count < 2; count += 1) acts.returnTransfer(customer, 5_000);
    const isReturn = (one: Json) => one.customer === customer && one.type === 'funding_reversed';
    const returns = account.all('customer_cash_balance_transaction', isReturn).map(({ id }) => id);
    // A job that meets another one fails, and is retried.
    await Promise.allSettled(
      [...returns, ...returns].map((id, n) => followTransfer((n < 2 ? service : other).service.deps, customer, id)),
    );
    await service.settle();
    assert.deepEqual(
      (await topupsOf(payer)).map((one: Record<string, unknown>) => [one['state'], one['taken_back']]),
      [isCredited ? ['succeeded', 5_000] : ['failed', 0], ['succeeded', 5_000]],
    );
    assert.deepEqual([await balance(payer), await owedBy(payer)], [0, 0]);
  }
});

test('top-ups are listed in pages, each once', async () => {
  const payer = await newPayer(service);
  for (let count = 0; count < 5; count += 1) await payer.client.call('POST', payer.path, { amount: 1_000 + count });
  const page = async (query: string) => (await payer.client.call('GET', `${payer.path}?limit=2${query}`)).body;
  const ids = (await topupsOf(payer)).map((one: { topup_id: string }) => one.topup_id);
  const first = await page('');
  const second = await page(`&after=${first.older}`);
  const third = await page(`&after=${second.older}`);
  const listed = [first, second, third].map(({ data }) => data.map((one: { topup_id: string }) => one.topup_id));
  assert.deepEqual(listed, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  assert.deepEqual([first.newer, third.older], [null, null]);
  assert.deepEqual((await page(`&before=${third.newer}`)).data, second.data);
  const stranger = await newPayer(service);
  const foreign = await stranger.client.call('GET', `${stranger.path}?after=${ids[0]}`);
  assert.equal(foreign.body.error.code, 'cursor_invalid');
  const { organizationUuid: organizationId } = payer.organization;
  const operators = await listAllTopups(service.service.deps, { organizationId, limit: 2, after: ids[1] });
  assert.deepEqual(
    operators.map(({ topup_id }) => topup_id),
    ids.slice(2, 4),
  );
});

test('a daily look at Stripe’s events finds what was lost', async () => {
  const { deps } = service.service;
  await reconcileStripe(deps);
  const payer = await newPayer(service);
  await payer.client.call('POST', `${payer.path}/bank-account`);
  await topUp(service, payer, 10_000);
  service.stripe.acts.transfer(await customerOf(service, payer), 3_000);
  await service.stripe.webhooks.deliver({ loses: () => true });
  await service.settle();
  assert.equal(await balance(payer), 0);
  await reconcileStripe(deps);
  await service.settle();
  assert.equal(await balance(payer), 0, 'once a day');
  await service.clock.jump(DAY_MS);
  await reconcileStripe(deps);
  await service.settle();
  assert.equal(await balance(payer), 13_000);
  // What Stripe keeps may be known after the credit.
  const { fees } = await accountsOf(service, payer);
  await service.sql('delete from topup_costs where organization_id = $1', [payer.organization.organizationUuid]);
  await service.clock.jump(DAY_MS);
  await reconcileStripe(deps);
  assert.deepEqual([(await accountsOf(service, payer))['fees'], fees], [-335, -335]);
});

test('the jobs do all of this by themselves', async () => {
  const payer = await newPayer(service);
  await topUp(service, payer, 10_000);
  await payer.client.call('POST', `${payer.path}/bank-account`);
  service.stripe.acts.transfer(await customerOf(service, payer), 3_000);
  await service.stripe.webhooks.deliver();
  await workUntil(service, async () => (await balance(payer)) === 13_000, 'the top-ups are credited');
});
