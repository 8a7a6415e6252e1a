import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchFunding } from '../../../src/capabilities/issuers/watch-funding.ts';
import { readTrialBalance } from '../../../src/core/balances/trial-balance.ts';
import { ordersOf } from '../../harness/tremendous-network.ts';
import { TremendousStage } from '../../harness/tremendous-stage.ts';

// Tremendous is paid when a gift is claimed: what that costs, what it has to pay yet, and what comes back.

const stage = new TremendousStage();

async function accounts() {
  const { deps } = stage.service.service;
  const { organizationId } = stage.organization;
  const { environments } = await readTrialBalance(deps, { at: new Date(deps.clock.now() + 1), organizationId });
  const live = environments.find(({ environment }) => environment === 'live');
  assert.ok(live);
  assert.equal(live.sum, 0);
  return live.accounts;
}

test('fees and discounts of orders are in the books once, and go back with a canceled reward', async () => {
  const before = await accounts();
  stage.tremendous.state.feeCents = 75;
  const [kept, canceled] = [await stage.claimed(), await stage.claimed()];
  stage.tremendous.state.feeCents = -25;
  await stage.claimed();
  stage.tremendous.state.feeCents = 0;
  await stage.claimed();
  for (let day = 0; day < 2; day += 1) await stage.reconcile();
  const costs = async () => {
    const { fees, issuer_clearing } = await accounts();
    return [fees - before.fees, issuer_clearing - before.issuer_clearing];
  };
  assert.deepEqual(await costs(), [-125, 125]);
  stage.tremendous.network.cancel(canceled.reward);
  await stage.deliver(2);
  await stage.reconcile();
  assert.deepEqual(await costs(), [-50, 50]);
  assert.equal((await stage.cardOf(kept.giftId)).state, 'active');
});

test('the balance must cover the gifts that will be claimed, and the admins hear of it once', async () => {
  const { deps } = stage.service.service;
  const look = async () => {
    await stage.service.sql(`update issuers set funding_check_at = '2020-01-01'`);
    await watchFunding(deps);
  };
  const mails = () =>
    stage.service.sql<{ details: Record<string, unknown> }>(
      `select details from notices where kind = 'funds_low' order by notice_id`,
    );
  const dueOf = async () => {
    const [row] = await stage.service.sql<{ cents: string }>(
      `select sum(amount_cents) as cents from gifts where claimed_at is null and canceled_at is null`,
    );
    return Number(row?.cents);
  };
  await stage.order();
  const dueCents = await dueOf();
  const { state } = stage.tremendous;
  const funds = state.availableCents;
  state.availableCents = dueCents;
  await look();
  assert.deepEqual(await mails(), []);
  state.availableCents = dueCents - 1;
  await look();
  await look();
  const [mail, another] = await mails();
  assert.ok(mail);
  assert.equal(another, undefined);
  const { available_cents, unspent_cents, is_paid_at_claim } = mail.details;
  assert.deepEqual([available_cents, unspent_cents, is_paid_at_claim], [dueCents - 1, dueCents, true]);
  state.availableCents = funds;
});

test('nothing is bought from an account in another currency, or whose campaign takes fees from the recipient', async () => {
  const { state } = stage.tremendous;
  const campaign = state.campaigns.get('CAMPALL');
  assert.ok(campaign);
  const isBought = async () => {
    const { giftId, link } = await stage.order();
    // Another process has not asked about the account.
    const other = await stage.service.second();
    await fetch(`${other.url}/g/${link.slice(-76)}/claim`, { method: 'POST', redirect: 'manual' });
    await other.close();
    return { giftId, bought: ordersOf(stage.tremendous, giftId).length };
  };
  state.currency = 'EUR';
  const first = await isBought();
  state.currency = 'USD';
  campaign.fee_charged_to = 'RECIPIENT';
  const second = await isBought();
  campaign.fee_charged_to = 'SENDER';
  for (const { bought, giftId } of [first, second]) {
    assert.equal(bought, 0);
    assert.equal((await stage.cardOf(giftId)).state, 'claiming');
    await stage.finish(giftId);
    assert.equal((await stage.cardOf(giftId)).state, 'active');
  }
});
