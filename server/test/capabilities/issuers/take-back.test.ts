import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestApproval } from '../../../src/core/balances/approvals.ts';
import { addFunds, changeOrRepeat } from '../../../src/core/balances/change-balance.ts';
import { takeBackGift } from '../../../src/core/cards/take-back-gift.ts';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { OperatorError } from '../../../src/platform/base/operator-error.ts';
import { allowChanges } from '../../harness/allow-changes.ts';
import { chooseFake } from '../../harness/fake-issuer.ts';
import { FakeNetwork } from '../../harness/fake-network.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { ordersOf } from '../../harness/tremendous-network.ts';
import { TremendousStage } from '../../harness/tremendous-stage.ts';

// The operator takes back what is left on the card of a claimed gift, once, after its issuer ended it.

const stage = new TremendousStage();
const VALUE_CENTS = 2_500;

const takeBack = (giftId: string, { organizationUuid } = stage.organization) => {
  const scope = { organizationId: organizationUuid, environment: 'live' } as const;
  return takeBackGift(stage.service.service.deps, { scope, giftId, actor: OPERATOR });
};
const balance = () => balanceOf(stage.service, stage.organization, 'live');
const statusOf = (giftId: string) => ordersOf(stage.tremendous, giftId).map(({ status }) => status);

test('a gift that is not redeemed is taken back once, also by two at once', async () => {
  const { giftId, link, browser } = await stage.claimed();
  const before = await balance();
  const ends = await Promise.allSettled([takeBack(giftId), takeBack(giftId)]);
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal(await balance(), before + VALUE_CENTS);
  assert.deepEqual(statusOf(giftId), ['CANCELED']);
  await stage.deliver();
  await stage.reconcile();
  await assert.rejects(takeBack(giftId), /Nothing is left/);
  assert.deepEqual(await stage.cardOf(giftId).then(({ state, spent }) => [state, spent]), ['closed', VALUE_CENTS]);
  const page = await browser.view(link);
  assert.equal(page.status, 410);
  assert.doesNotMatch(page.text, /Open your gift/);
});

test('a gift that was redeemed returns nothing', async () => {
  const { giftId, reward } = await stage.claimed();
  const before = await balance();
  stage.tremendous.network.redeem(reward);
  await assert.rejects(takeBack(giftId), /does not take it back/);
  assert.equal(await balance(), before);
});

test('of a redemption and the operator who takes back at the same time, one gets the value', async () => {
  for (const turns of [0, 2, 8, 20, 60]) {
    const { giftId, reward } = await stage.claimed();
    const before = await balance();
    const redeem = async () => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      stage.tremendous.network.redeem(reward);
    };
    const [taken, redeemed] = await Promise.allSettled([takeBack(giftId), redeem()]);
    assert.notEqual(taken.status, redeemed.status);
    await stage.reconcile();
    assert.equal(await balance(), before + (taken.status === 'fulfilled' ? VALUE_CENTS : 0));
    assert.equal((await stage.cardOf(giftId)).spent, VALUE_CENTS);
  }
});

test('after a lost answer of the issuer, taking back goes on', async () => {
  const { giftId } = await stage.claimed();
  const before = await balance();
  stage.tremendous.fault = { call: 'POST /rewards', when: 'after' };
  await assert.rejects(takeBack(giftId));
  assert.equal(await balance(), before);
  stage.tremendous.fault = undefined;
  assert.equal(await takeBack(giftId), VALUE_CENTS);
  assert.equal(await balance(), before + VALUE_CENTS);
});

test('of a card, what is left is taken back, and a later capture is overspent', async () => {
  const { service } = stage;
  const organization = await service.organization();
  const provider = await chooseFake([service], organization);
  const { giftId, link, browser } = await stage.order(VALUE_CENTS, organization);
  await browser.press(link, 'claim');
  const network = new FakeNetwork(service, organization, provider, giftId);
  await network.play({ do: 'authorize', hold: 'a', amount: 1_000, expect: 'approved' });
  await assert.rejects(
    takeBack(giftId, organization),
    new OperatorError('A purchase is under way. Try again when it has ended.'),
  );
  await network.play({ do: 'capture', hold: 'a', amount: 1_000 });
  await network.deliver('prompt');
  await stage.runEvents(organization, provider.issuerId);
  assert.equal(await takeBack(giftId, organization), 1_500);
  await network.play({ do: 'force', amount: 300 });
  await network.deliver('prompt');
  await stage.runEvents(organization, provider.issuerId);
  assert.equal((await stage.cardOf(giftId)).spent, VALUE_CENTS);
});

/** A card of which 10.00 were spent in a shop, and the rest was taken back. */
async function spentAndTakenBack() {
  const { service } = stage;
  const organization = await service.organization();
  const provider = await chooseFake([service], organization);
  const { giftId, link, browser } = await stage.order(VALUE_CENTS, organization);
  await browser.press(link, 'claim');
  const network = new FakeNetwork(service, organization, provider, giftId);
  const play = async (...steps: Parameters<typeof network.play>[0][]) => {
    for (const step of steps) await network.play(step);
    await network.deliver('prompt');
    await stage.runEvents(organization, provider.issuerId);
  };
  const authorized = { do: 'authorize', hold: 'a', amount: 1_000, expect: 'approved' } as const;
  await play(authorized, { do: 'capture', hold: 'a', amount: 1_000 });
  const before = await balanceOf(service, organization, 'live');
  assert.equal(await takeBack(giftId, organization), 1_500);
  return { organization, giftId, before, returnByShop: () => play({ do: 'refund', amount: 400 }) };
}

test('what a shop returns to the card later is taken back too, once', async () => {
  const { organization, giftId, before, returnByShop } = await spentAndTakenBack();
  await returnByShop();
  const ends = await Promise.allSettled([takeBack(giftId, organization), takeBack(giftId, organization)]);
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal(await balanceOf(stage.service, organization, 'live'), before + 1_900);
  const entries = await stage.service.sql<{ reference: string }>(
    `select reference from ledger_entries where organization_id = $1 and kind = 'adjustment' order by entry_id`,
    [organization.organizationUuid],
  );
  const own = `bestow:taken-back:${encodeId('gift', giftId)}`;
  assert.deepEqual(
    entries.map(({ reference }) => reference),
    [own, `${own}:2`],
  );
});

test('a gift that an earlier release took back is not taken back again, and what comes later is', async () => {
  const { organization, giftId, returnByShop } = await spentAndTakenBack();
  await allowChanges(stage.service.sql, ['ledger_entries']);
  await stage.service.sql(
    `update ledger_entries set reference = $2 where organization_id = $1 and kind = 'adjustment'`,
    [organization.organizationUuid, `taken back ${encodeId('gift', giftId)}`],
  );
  await stage.service.sql('alter table ledger_entries enable trigger user');
  await assert.rejects(takeBack(giftId, organization), /Nothing is left/);
  await returnByShop();
  assert.equal(await takeBack(giftId, organization), 400);
});

test('no one enters a reference of the service’s own entries, and the issuer is not asked in vain', async () => {
  const { giftId } = await stage.claimed();
  const { deps } = stage.service.service;
  const { organizationId } = stage.organization;
  const shown = encodeId('gift', giftId);
  for (const reference of [`taken back ${shown}`, ` Bestow:taken-back:${shown}`, 'pi_3Test', 're_3Test:undone']) {
    const change = {
      organizationId,
      environment: 'live',
      amountCents: VALUE_CENTS,
      reference,
      actor: OPERATOR,
    } as const;
    const refused = /is kept for entries of Bestow itself\. Choose another one\./;
    await assert.rejects(addFunds(deps, { ...change, note: undefined }), refused, reference);
    await assert.rejects(changeOrRepeat(deps, { ...change, kind: 'adjustment', note: 'A correction' }), refused);
    await assert.rejects(requestApproval(deps, { ...change, kind: 'adjustment', note: 'Asked' }), refused, reference);
  }
  await takeBack(giftId);
  stage.tremendous.fault = { call: 'POST /rewards', when: 'before' };
  await assert.rejects(takeBack(giftId), /Nothing is left/);
  stage.tremendous.fault = undefined;
});

test('a gift without a card of an issuer is refused', async () => {
  const { giftId } = await stage.order();
  await assert.rejects(takeBack(giftId), new OperatorError('The gift has no card of an issuer.'));
});
