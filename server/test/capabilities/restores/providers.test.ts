import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcileIssuers } from '../../../src/capabilities/issuers/reconcile-issuers.ts';
import { finishRestore } from '../../../src/capabilities/restores/finish-restore.ts';
import { listChecks } from '../../../src/capabilities/restores/list-checks.ts';
import { reconcileStripe } from '../../../src/capabilities/topups/reconcile.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseIssuer } from '../../harness/choose-stripe.ts';
import { issuerFakes } from '../../harness/issuer-fakes.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { lithicSettings } from '../../harness/lithic-network.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { type RestoredService, startRestoredService } from '../../harness/restored-service.ts';
import { newPayer, topUp, topupsOf, workOnAll } from '../../harness/topups.ts';
import { startLithic } from '../lithic/server.ts';
import { startStripe } from '../stripe/server.ts';

// What providers did in a time that a restore undid is found again, by the gift and by the payment.

const DAY_MS = 86_400_000;

const finish = (history: RestoredService, from: Date) => finishRestore(history.now().service.deps, from, OPERATOR);

/** Stripe knows a card by its key for a day only. */
const daysLater: Record<string, readonly number[]> = { stripe: [0, 2], lithic: [2], tremendous: [2] };
const VALUE_CENTS = 2_500;

for (const [kind, { start }] of Object.entries(issuerFakes))
  for (const days of daysLater[kind] ?? [2])
    test(`a card of ${kind} is the gift’s card again ${days} days later, with what it paid`, async () => {
      const history = await startRestoredService();
      const organization = await history.now().organization();
      const provider = await start({ now: () => history.now().clock.now() });
      const { hooks } = await chooseIssuer(history.now(), organization, kind, provider.settings);
      provider.connect(hooks);
      const { body } = await organization.live.order([linkGift(VALUE_CENTS)]);
      const [{ gift_id, delivery }] = body.gifts;
      const giftId = decodeId('gift', gift_id) ?? '';
      const claim = async (fields: Record<string, string>) => {
        const url = `${history.now().url}/g/${delivery.link.slice(-76)}/claim`;
        const sent = { ...provider.form, ...fields };
        return (await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(sent) })).status;
      };
      const at = await history.backUp();
      assert.equal(await claim({}), 303);
      const network = provider.network(giftId);
      await network.play({ do: 'force', amount: VALUE_CENTS });
      await network.deliver('lost');
      const cards = provider.cardsOf(giftId);
      assert.equal(cards.length, 1);
      await history.restore();
      await history.now().clock.jump(days * DAY_MS);

      const finished = await finish(history, at);
      assert.deepEqual(
        finished.cards.map(({ card, waits_for_claim }) => [card, waits_for_claim]),
        [[cards[0], true]],
      );
      assert.match(
        listChecks(finished).join('\n'),
        new RegExp(`Card ${cards[0]} of iss_\\w+ is of the unclaimed gift ${gift_id}`),
      );
      assert.equal(await claim({ first_name: 'Other', line1: '7 Other Street' }), 303);
      assert.deepEqual(provider.cardsOf(giftId), cards, 'one card');
      await reconcileIssuers(history.now().service.deps);
      const [gift] = await history
        .now()
        .sql<{ spent_cents: number }>('select spent_cents from gifts where gift_id = $1', [giftId]);
      assert.equal(gift?.spent_cents, VALUE_CENTS);
      assert.deepEqual((await finish(history, at)).cards, []);
      await verifyAll(history.now());
    });

test('an issuer that does not answer is named', async () => {
  const history = await startRestoredService();
  const organization = await history.now().organization();
  const lithic = await startLithic(history.now().clock);
  await chooseIssuer(history.now(), organization, 'lithic', lithicSettings(lithic));
  const at = await history.backUp();
  await history.restore();
  await lithic.close();
  const finished = await finish(history, at);
  assert.equal(finished.issuers_silent.length, 1);
  assert.match(listChecks(finished).join('\n'), /iss_\w+ did not say which cards it made .*: run this command again/);
});

for (const [when, readFirst] of [
  ['also those that are gone', async () => undefined],
  ['also after the work of a minute has read their events', reconcileStripe],
] as const)
  test(`top-ups that were paid in the lost time are credited once, ${when}`, async () => {
    const time: { history?: RestoredService } = {};
    const stripe = await startStripe({ now: () => time.history?.now().clock.now() ?? 0 });
    const history = await startRestoredService({
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhooks.secret,
      STRIPE_API_BASE: stripe.url,
      TOPUP_CARD_FEE_BASIS_POINTS: '290',
      TOPUP_CARD_FEE_CENTS: '30',
    });
    time.history = history;
    const service = () =>
      Object.assign(history.now(), { stripe, settle: async () => undefined, closeAll: async () => undefined });
    const settle = async () => {
      stripe.webhooks.url = `${history.now().url}/hooks/stripe`;
      await stripe.webhooks.deliver({});
      while (await workOnAll(history.now()));
    };
    const payer = await newPayer(history.now());
    const balance = () => balanceOf(history.now(), payer.organization, 'live');
    await topUp(service(), payer, 10_000);
    await settle();
    assert.equal(await balance(), 10_000);
    const at = await history.backUp();
    await topUp(service(), payer, 20_000);
    await topUp(service(), payer, 33_333);
    await settle();
    assert.equal(await balance(), 63_333);
    await history.restore();
    assert.equal(await balance(), 10_000);
    await readFirst(history.now().service.deps);

    const finished = await finish(history, at);
    assert.ok((finished.payment_events ?? 0) > 0);
    assert.equal(await balance(), 63_333);
    await finish(history, at);
    await settle();
    await settle();
    assert.equal(await balance(), 63_333);
    const amounts = (await topupsOf(payer)).map(
      ({ amount, fee, state }: { amount: number; fee: number; state: string }) => [amount, fee, state],
    );
    assert.deepEqual(amounts.sort(), [
      [10_000, 320, 'succeeded'],
      [20_000, 610, 'succeeded'],
      [33_333, 997, 'succeeded'],
    ]);
    await verifyAll(history.now());
    await stripe.close();
  });
