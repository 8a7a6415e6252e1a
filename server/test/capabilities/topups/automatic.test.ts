import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAutomaticTopup, startAutomaticTopups } from '../../../src/capabilities/topups/start-automatic-topups.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { noticesOf } from '../../harness/notices.ts';
import { type Funded, liveBalance, newPayer, openTopups, topUp, topupsOf, workOnAll } from '../../harness/topups.ts';

const DAY_MS = 86_400_000;
const service = openTopups();
const balance = (payer: Funded) => liveBalance(service, payer);
const ruleOf = async ({ client, path }: Funded) => (await client.call('GET', path)).body.options.automatic;
const start = () => startAutomaticTopups(service.service.deps);
const mails = async ({ organization }: Funded) => {
  const rows = await service.sql<{ event: string }>(
    `select details->>'event' as event from notices where organization_id = $1 and kind = 'topup' order by notice_id`,
    [organization.organizationUuid],
  );
  return rows.map(({ event }) => event);
};

/** An organization with 100.00, a saved card and a rule. */
async function newRule(card: string, rule: object = {}): Promise<Funded> {
  const payer = await newPayer(service, { live: 10_000 });
  const { body } = await payer.client.call('POST', `${payer.path}/cards`);
  service.stripe.acts.pay(card, service.stripe.account.objects.get(body.url.split('/').at(-1)));
  const cards = await payer.client.call('GET', `${payer.path}/cards`);
  assert.deepEqual(
    cards.body.data.map((one: { expires: string }) => one.expires),
    ['08/2031'],
  );
  const answer = await payer.client.call('PUT', `${payer.path}/automatic`, {
    rule: {
      threshold: 5_000,
      method: 'fixed',
      amount: 20_000,
      monthly_cap: 50_000,
      payment_method_id: cards.body.data[0].payment_method_id,
      ...rule,
    },
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  service.stripe.webhooks.waiting.splice(0);
  return payer;
}

async function spend({ organization }: Funded, amount: number): Promise<void> {
  assert.equal((await organization.live.order([gift({ amount })])).status, 201);
}

test('below the threshold many processes at once charge the card once', async () => {
  const payer = await newRule('4242');
  await start();
  assert.deepEqual(await topupsOf(payer), [], 'not below the threshold');
  await spend(payer, 6_000);
  await Promise.all(Array.from({ length: 10 }, start));
  const [topup, ...others] = await topupsOf(payer);
  assert.deepEqual([topup.kind, topup.state, others.length], ['automatic', 'pending', 0]);
  await Promise.all(Array.from({ length: 5 }, () => workOnAll(service)));
  await service.settle({ copies: 3, concurrently: true });
  assert.equal(await balance(payer), 24_000);
  const payments = service.stripe.account.all('payment_intent', ({ amount }) => amount === 20_000);
  assert.equal(payments.length, 1);
});

test('the order that takes a balance below its threshold starts the charge, once', async () => {
  const payer = await newRule('4242');
  const queued = async ({ organization }: Funded) => {
    const rows = await service.sql(
      `select from pgboss.job where name = 'topup' and data = jsonb_build_object('organizationId', $1::text)`,
      [organization.organizationUuid],
    );
    return rows.length;
  };
  await spend(payer, 5_000);
  assert.equal(await queued(payer), 0, 'not below the threshold');
  await Promise.all(Array.from({ length: 4 }, () => spend(payer, 1_000)));
  assert.equal(await queued(payer), 1);
  const without = await newPayer(service, { live: 10_000 });
  await spend(without, 9_000);
  assert.equal((await payer.client.call('PUT', `${payer.path}/automatic`, { rule: null })).status, 200);
  await startAutomaticTopup(service.service.deps, payer.organization.organizationUuid);
  assert.deepEqual([await queued(without), await topupsOf(payer)], [0, []]);
  // The balance is read at the time of the job.
  const other = await newRule('4242');
  await spend(other, 6_000);
  await workUntil(service, async () => (await balance(other)) === 24_000, 'the card is charged');
});

test('an order is placed even if the charge cannot be queued', async () => {
  const payer = await newRule('4242');
  await service.sql(`alter table pgboss.job add constraint broken check (data ? 'topupId') not valid`);
  await payer.organization.live
    .order([linkGift(6_000)])
    .then(({ status }) => assert.equal(status, 201))
    .finally(() => service.sql('alter table pgboss.job drop constraint broken'));
  await start();
  assert.equal((await topupsOf(payer)).length, 1);
});

test('a target is reached, and the monthly cap holds until the next month', async () => {
  const payer = await newRule('4242', { method: 'target', amount: 30_000 });
  for (const amount of [9_000, 29_000]) {
    await spend(payer, amount);
    await start();
    await service.settle();
  }
  // 290.00 were charged; 290.00 more would exceed 500.00.
  assert.equal(await balance(payer), 1_000);
  await service.clock.jump(15 * DAY_MS);
  await start();
  await service.settle();
  assert.equal(await balance(payer), 30_000);
});

test('two declined charges switch it off, with a mail for each', async () => {
  const payer = await newRule('0341');
  await spend(payer, 6_000);
  for (const days of [0, 0, 1]) {
    await service.clock.jump(days * DAY_MS);
    await start();
    await service.settle({ copies: 2 });
  }
  assert.deepEqual(await mails(payer), ['failed', 'switched_off']);
  assert.deepEqual([(await ruleOf(payer)).is_on, (await ruleOf(payer)).off_reason], [false, 'failures']);
  assert.deepEqual(
    (await topupsOf(payer)).map(({ state }: { state: string }) => state),
    ['failed', 'failed'],
  );
  assert.equal(await balance(payer), 4_000);
});

test('if the bank asks, a mail links to the payment, and it is credited once paid', async () => {
  const payer = await newRule('3184');
  await spend(payer, 6_000);
  await start();
  await service.settle({ copies: 2 });
  const [topup] = await topupsOf(payer);
  assert.deepEqual([topup.state, topup.can_be_paid, await mails(payer)], ['action_required', true, ['bank_asks']]);
  const [notice] = (await noticesOf(service, payer.organization)).filter(({ kind }) => kind === 'topup');
  assert.equal(notice?.recipient, 'admin@example.com');
  await start();
  assert.equal((await topupsOf(payer)).length, 1, 'one in flight');
  const pay = () => payer.client.call('POST', `${payer.path}/${topup.topup_id}/pay`);
  const pages = await Promise.all([pay(), pay()]);
  assert.equal(pages[0]?.body.url, pages[1]?.body.url);
  service.stripe.acts.pay('4242', service.stripe.account.objects.get(pages[0]?.body.url.split('/').at(-1)));
  await service.settle();
  assert.equal(await balance(payer), 24_000);
  assert.equal((await pay()).status, 422);
});

test('a lost answer, an error of Stripe and a crash charge once', async () => {
  const payer = await newRule('4242');
  await spend(payer, 6_000);
  await start();
  const operation = 'POST /v1/payment_intents' as const;
  // The library retries a closed connection once.
  for (const kind of ['lose the answer', 'lose the answer', 'answer 500'] as const)
    service.stripe.faults.push({ operation, kind });
  await assert.rejects(workOnAll(service));
  await assert.rejects(workOnAll(service));
  // After a day Stripe has forgotten the key, so the payment is looked up.
  await service.clock.jump(DAY_MS + 1);
  await workOnAll(service);
  assert.equal(await balance(payer), 24_000);
  await service.settle();
  assert.equal(await balance(payer), 24_000);
});

test('a chargeback switches it off; a removed card too', async () => {
  const payer = await newRule('4242');
  const paymentId = await topUp(service, payer, 20_000);
  await service.settle();
  service.stripe.acts.dispute(paymentId);
  await service.settle();
  assert.equal((await ruleOf(payer)).off_reason, 'dispute');
  assert.deepEqual(await mails(payer), ['dispute']);
  const other = await newRule('4242');
  const { payment_method_id } = await ruleOf(other);
  assert.equal((await other.client.call('DELETE', `${other.path}/cards/${payment_method_id}`)).status, 204);
  assert.equal((await other.client.call('DELETE', `${other.path}/cards/pm_other`)).status, 404);
  assert.equal((await ruleOf(other)).is_on, false);
});

test('a rule that cannot work is refused with a sentence', async () => {
  const payer = await newRule('4242');
  const set = (rule: object) =>
    payer.client.call('PUT', `${payer.path}/automatic`, {
      rule: {
        threshold: 5_000,
        method: 'fixed',
        amount: 20_000,
        monthly_cap: 50_000,
        payment_method_id: 'pm_x',
        ...rule,
      },
    });
  assert.match((await set({})).body.error.message, /^Choose a saved card/);
  assert.match((await set({ method: 'target', amount: 5_000 })).body.error.message, /must be above/);
  assert.match((await set({ amount: 60_000 })).body.error.message, /within the monthly cap/);
  for (const [rule, param, message] of [
    [{ threshold: 50_000_001 }, 'rule.threshold', 'rule.threshold must be from 0.01 to 500,000.00.'],
    [{ threshold: 'x' }, 'rule.threshold', 'rule.threshold must be from 0.01 to 500,000.00.'],
    [{ method: 'often' }, 'rule.method', 'rule.method must be one of fixed, target.'],
    [{ payment_method_id: '' }, 'rule.payment_method_id', 'rule.payment_method_id must be a saved card.'],
  ] as const) {
    const { status, body } = await set(rule);
    assert.deepEqual([status, body.error.param, body.error.message], [422, param, message]);
  }
});
