import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { verifyLedger } from '../../../src/capabilities/seals/verify-ledger.ts';
import { collectWhatIsOwed } from '../../../src/core/balances/collect-what-is-owed.ts';
import { gift } from '../../harness/api-client.ts';
import { accountsOf, type Funded, liveBalance, newPayer, openTopups, owedBy, topUp } from '../../harness/topups.ts';
import type { Json } from '../stripe/account.ts';

const service = openTopups({ TOPUP_CARD_FEE_BASIS_POINTS: '290', TOPUP_CARD_FEE_CENTS: '30' });

const books = (payer: Funded) => accountsOf(service, payer);
const order = ({ organization }: Funded, amount: number) => organization.live.order([gift({ amount })]);
const faults = async () => (await verifyLedger(service.service.deps)).culprits.map(({ check }) => check);

async function paid(payer: Funded, amount: number): Promise<string> {
  const paymentId = await topUp(service, payer, amount);
  await service.settle();
  return paymentId;
}

/** What Stripe still has of an organization's payments, after its own fees. */
function heldAtStripe(paymentIds: readonly string[]): number {
  const { account } = service.stripe;
  const sum = (object: string, matches: (one: Json) => boolean, cents: (one: Json) => number) =>
    account.all(object, matches).reduce((total, one) => total + cents(one), 0);
  const isOf = ({ payment_intent }: Json) => paymentIds.includes(payment_intent);
  const charges = account.all('charge', isOf).map(({ id }) => id);
  const reversals = [...account.all('refund', isOf), ...account.all('dispute', isOf)].map(({ id }) => id);
  return (
    sum('charge', isOf, ({ amount }) => amount) -
    sum(
      'refund',
      (one) => isOf(one) && one.status !== 'failed',
      ({ amount }) => amount,
    ) -
    sum(
      'dispute',
      (one) => isOf(one) && one.status !== 'won',
      ({ amount }) => amount,
    ) -
    sum(
      'balance_transaction',
      ({ source }) => [...charges, ...reversals].includes(source),
      ({ fee }) => fee,
    )
  );
}

test('the fee is income, what Stripe keeps a cost; a refund returns the fee last', async () => {
  const payer = await newPayer(service);
  const paymentId = await paid(payer, 100_000);
  // 1,029.30 were paid, of which Stripe kept 30.15.
  assert.deepEqual(await books(payer), { available: 100_000, payment_clearing: -99_915, fees: -85 });
  service.stripe.acts.refund(paymentId, 40_000);
  await service.settle({ copies: 2 });
  assert.deepEqual(await books(payer), { available: 60_000, payment_clearing: -59_915, fees: -85 });
  service.stripe.acts.refund(paymentId);
  await service.settle({ copies: 2 });
  assert.deepEqual(await books(payer), { payment_clearing: 3_015, fees: -3_015 });
});

test('two chargebacks after spending are receivable, and each payment makes it less', async () => {
  const payer = await newPayer(service);
  const first = await paid(payer, 50_000);
  const second = await paid(payer, 20_000);
  for (const amount of [40_000, 25_000]) assert.equal((await order(payer, amount)).status, 201);
  const dispute = service.stripe.acts.dispute(first, 50_000);
  await service.settle();
  assert.equal((await books(payer))['receivable'], -45_000);
  service.stripe.acts.dispute(second, 20_000);
  await service.settle({ copies: 2 });
  assert.deepEqual([(await books(payer))['receivable'], await owedBy(payer)], [-65_000, 65_000]);
  const third = await paid(payer, 25_000);
  assert.deepEqual([(await books(payer))['receivable'], await owedBy(payer)], [-40_000, 40_000]);
  service.stripe.acts.closeDispute(dispute, 'won');
  await service.settle({ copies: 2 });
  const { receivable = 0, available, payment_clearing } = await books(payer);
  assert.deepEqual([receivable, available, payment_clearing], [0, 10_000, -heldAtStripe([first, second, third])]);
  assert.deepEqual(await faults(), []);
});

test('the books follow Stripe through every order of acts of banks and payers', async () => {
  const cents = fc.integer({ min: 1, max: 50 }).map((hundreds) => hundreds * 1_000);
  const kind = fc.constantFrom('top up', 'order', 'operator', 'refund', 'dispute', 'refund fails', 'won', 'lost');
  const act = fc.record({ kind, cents, of: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 12 }), async (acts) => {
      const payer = await newPayer(service);
      const payments = [await paid(payer, 50_000)];
      let byOperator = 0;
      const { account, acts: banks } = service.stripe;
      const some = (object: string, of: number, status: string) => {
        const found = account.all(object, (one) => payments.includes(one.payment_intent) && one.status === status);
        return found[of % Math.max(found.length, 1)];
      };
      for (const one of acts) {
        if (one.kind === 'top up') payments.push(await topUp(service, payer, one.cents));
        else if (one.kind === 'order') await order(payer, one.cents);
        else if (one.kind === 'operator') {
          await payer.organization.fund('live', one.cents);
          byOperator += one.cents;
          await collectWhatIsOwed(service.service.deps);
        } else if (one.kind === 'refund' || one.kind === 'dispute') {
          const payment = payments[one.of % payments.length] ?? '';
          const [charge] = account.all('charge', ({ payment_intent }) => payment_intent === payment);
          const disputed = account.all(
            'dispute',
            ({ payment_intent, status }) => payment_intent === payment && status !== 'won',
          );
          const left = charge.amount - charge.amount_refunded - disputed.reduce((sum, { amount }) => sum + amount, 0);
          if (left > 0) banks[one.kind](payment, Math.min(one.cents, left));
        } else if (one.kind === 'refund fails') {
          const refund = some('refund', one.of, 'succeeded');
          if (refund !== undefined) banks.failRefund(refund);
        } else {
          const dispute = some('dispute', one.of, 'needs_response');
          if (dispute !== undefined) banks.closeDispute(dispute, one.kind);
        }
        if (one.kind !== 'order') await service.settle({ copies: 2 });
        const { receivable = 0, payment_clearing = 0, available = 0 } = await books(payer);
        assert.deepEqual(
          [0 - receivable, 0 - payment_clearing, available],
          [await owedBy(payer), heldAtStripe(payments) + byOperator, await liveBalance(service, payer)],
        );
      }
    }),
    { numRuns: 6, seed: 24, endOnFailure: true },
  );
  assert.deepEqual(await faults(), []);
});

test('a chargeback, orders and payments at once leave the receivable that is owed', async () => {
  const payer = await newPayer(service);
  const [first, second] = [await paid(payer, 50_000), await paid(payer, 30_000)];
  service.stripe.acts.dispute(first);
  service.stripe.acts.dispute(second, 10_000);
  const third = await topUp(service, payer, 15_000);
  await Promise.all([
    ...Array.from({ length: 8 }, () => order(payer, 8_000)),
    ...Array.from({ length: 3 }, () => collectWhatIsOwed(service.service.deps)),
    service.settle({ copies: 3, concurrently: true }),
  ]);
  await collectWhatIsOwed(service.service.deps);
  const { receivable = 0, payment_clearing, gifts_outstanding = 0, available = 0 } = await books(payer);
  assert.equal(-receivable, await owedBy(payer));
  assert.equal(payment_clearing, -heldAtStripe([first, second, third]));
  // 950.00 were credited and 600.00 taken back: the rest is there, in gifts, or owed.
  assert.equal(available + gifts_outstanding + receivable, 35_000);
});

test('verify compares the receivable with what is owed', async () => {
  const payer = await newPayer(service);
  await paid(payer, 10_000);
  const { organizationUuid } = payer.organization;
  await service.sql('update balances set owed_cents = 700 where organization_id = $1', [organizationUuid]);
  assert.deepEqual(await faults(), ['receivable is what is owed']);
  await service.sql('update balances set owed_cents = 0 where organization_id = $1', [organizationUuid]);
  assert.deepEqual(await faults(), []);
});
