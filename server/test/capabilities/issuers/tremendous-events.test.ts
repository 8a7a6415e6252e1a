import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TremendousStage } from '../../harness/tremendous-stage.ts';

// What happens to a reward of Tremendous reaches the books once, by webhooks or by asking.

const stage = new TremendousStage();
const START_CENTS = 5_000_000;

test('what is redeemed under review counts when the review ends', async () => {
  const [released, blocked] = [await stage.claimed(), await stage.claimed()];
  for (const { reward } of [released, blocked]) stage.tremendous.network.flag(reward);
  await stage.deliver(2);
  const heldOf = async (giftId: string) => (await stage.cardOf(giftId)).held;
  assert.deepEqual([await heldOf(released.giftId), await heldOf(blocked.giftId)], [2_500, 2_500]);
  stage.tremendous.network.release(released.reward);
  stage.tremendous.network.block(blocked.reward);
  await stage.deliver();
  await stage.reconcile();
  assert.equal((await stage.cardOf(released.giftId)).spent, 2_500);
  assert.deepEqual(
    [(await stage.cardOf(blocked.giftId)).spent, (await stage.cardOf(blocked.giftId)).state],
    [0, 'closed'],
  );
  assert.deepEqual([await heldOf(released.giftId), await heldOf(blocked.giftId)], [0, 0]);
});

test('a redemption counts, also if the report writes times and amounts for spreadsheets', async () => {
  const { network, state } = stage.tremendous;
  const { writes } = state;
  const { giftId, reward } = await stage.claimed();
  network.redeem(reward);
  state.writes = { time: (time) => `${time.slice(0, 19).replace('T', ' ')} UTC`, amount: (amount) => `$${amount}` };
  await stage.reconcile();
  state.writes = writes;
  assert.equal((await stage.cardOf(giftId)).spent, 2_500);
});

test('a report that takes longer is read when it is ready, and not asked for again', async () => {
  const { network, state } = stage.tremendous;
  const { giftId, reward } = await stage.claimed();
  network.redeem(reward);
  const issuer = await stage.issuer();
  const since = new Date(stage.service.clock.now());
  const read = async (ms: number) => Array.fromAsync(issuer.reconcile(since, AbortSignal.timeout(ms)));
  const before = state.reports.size;
  state.isSlow = true;
  await assert.rejects(read(300));
  state.isSlow = false;
  assert.ok((await read(10_000)).some(({ kind, providerId }) => kind === 'captured' && providerId === reward));
  assert.equal(state.reports.size, before + 1);
  await stage.reconcile();
  assert.equal((await stage.cardOf(giftId)).spent, 2_500);
});

test('a forged, damaged or foreign event changes nothing', async () => {
  const { giftId, reward } = await stage.claimed();
  const body = JSON.stringify({
    event: 'REWARDS.CANCELED',
    uuid: 'one',
    payload: { resource: { id: reward, type: 'rewards' } },
  });
  const send = (signature: string, text = body) =>
    fetch(stage.eventsUrl, { method: 'POST', headers: { 'tremendous-webhook-signature': signature }, body: text });
  const signature = stage.tremendous.network.sign(body);
  for (const [given, text] of [
    ['', body],
    ['sha256=00', body],
    [signature, body.replace('one', 'two')],
    [stage.tremendous.network.sign('{'), '{'],
  ] as const)
    assert.equal((await send(given, text)).status, 401);
  const others = [
    { event: 'MEMBERS.CREATED', uuid: 'three', payload: { resource: { id: 'M', type: 'members' } } },
    { event: 'REPORTS.GENERATION.SUCCEEDED', uuid: 'four', payload: {} },
    { uuid: 'five' },
  ];
  for (const text of others.map((one) => JSON.stringify(one)))
    assert.equal((await send(stage.tremendous.network.sign(text), text)).status, 200);
  await stage.deliver();
  assert.equal((await stage.cardOf(giftId)).state, 'active');
});

test('the account’s balance is the start less the rewards that are worth something', async () => {
  const bought = [...stage.tremendous.state.orders.values()].filter(({ status }) => status === 'EXECUTED');
  const cents = bought.reduce((sum, { payment }) => sum + Math.round(payment.total * 100), 0);
  assert.equal(stage.tremendous.state.availableCents, START_CENTS - cents);
});
