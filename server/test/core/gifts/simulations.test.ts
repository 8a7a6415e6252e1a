import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, errorCodes } from '../../../src/platform/base/errors.ts';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// See docs/decisions.md#gift-status.

const service = openForFile(() => startTestService());

interface Gift {
  gift_id: string;
  delivery: { status: string };
}

const acts = {
  delivered: { path: 'deliver', body: { outcome: 'delivered' } },
  failed: { path: 'deliver', body: { outcome: 'failed' } },
  open: { path: 'open', body: undefined },
  claim: { path: 'claim', body: undefined },
  spend: { path: 'spend', body: undefined },
};
type Act = keyof typeof acts;

const simulate = ({ sandbox }: Pick<TestOrganization, 'sandbox'>, giftId: string, act: Act) =>
  sandbox.post(`/v1/sandbox/gifts/${giftId}/${acts[act].path}`, acts[act].body);

const phone = (number: string) => gift({ delivery: { method: 'phone', phone: number } });

type Expected = 'sent' | 'failed' | 'opened' | 'claimed' | ErrorCode;
/** A state's name, the gift ordered, the acts done, the status, and the status or error that each act returns. */
type State = [name: string, gift: Record<string, unknown>, done: Act[], status: string, answers: Record<Act, Expected>];

const settled = { delivered: 'gift_already_delivered', failed: 'gift_already_delivered' } as const;
const link = { delivered: 'gift_delivery_not_simulatable', failed: 'gift_delivery_not_simulatable' } as const;
const untouched = { open: 'opened', claim: 'claimed', spend: 'gift_not_claimed' } as const;
const redeemed = { open: 'claimed', claim: 'gift_already_redeemed', spend: 'claimed' } as const;
const unsettled = { delivered: 'sent', failed: 'failed', ...untouched } as const;

const arrived = { ...settled, ...untouched };
const claimed = { ...settled, ...redeemed };

const states: State[] = [
  ['a pending email', gift(), [], 'sent', unsettled],
  ['a pending phone', phone('+442071838750'), [], 'sent', unsettled],
  ['a delivered email', gift(), ['delivered'], 'sent', arrived],
  ['a delivered phone', phone('+12025550100'), [], 'sent', arrived],
  ['a failed email', gift(), ['failed'], 'failed', unsettled],
  ['a failed phone', phone('+12025550101'), [], 'failed', unsettled],
  ['a failed email that arrived after all', gift(), ['failed', 'delivered'], 'sent', arrived],
  ['an opened email', gift(), ['open'], 'opened', arrived],
  ['a failed email that was opened', gift(), ['failed', 'open'], 'opened', arrived],
  ['a claimed email', gift(), ['claim'], 'claimed', claimed],
  ['a failed email that was claimed', gift(), ['failed', 'claim'], 'claimed', claimed],
  ['a spent email', emailGift('spent'), [], 'claimed', claimed],
  ['a link', linkGift(), [], 'sent', { ...link, ...untouched }],
  ['an opened link', linkGift(), ['open'], 'opened', { ...link, ...untouched }],
  ['a claimed link', linkGift(), ['claim'], 'claimed', { ...link, ...redeemed }],
  ['a spent link', linkGift(), ['claim', 'spend'], 'claimed', { ...link, ...redeemed }],
];

const isError = (expected: Expected): expected is ErrorCode => (errorCodes as string[]).includes(expected);

for (const [name, wanted, done, status, answers] of states)
  test(`${name} answers each simulation; an error changes nothing`, async () => {
    const organization = await service.organization();
    const { sandbox } = organization;
    for (const act of Object.keys(answers) as Act[]) {
      const placed = await sandbox.order([wanted]);
      let before: Gift = placed.body.gifts[0];
      for (const step of done) before = (await simulate(organization, before.gift_id, step)).body;
      assert.equal(before.delivery.status, status);
      const answer = await simulate(organization, before.gift_id, act);
      const expected = answers[act];
      if (isError(expected)) assertError(answer, expected);
      const now = isError(expected) ? before : { ...before, delivery: { ...before.delivery, status: expected } };
      if (!isError(expected)) assert.deepEqual([answer.status, answer.body], [200, now], act);
      assert.deepEqual((await sandbox.get(`/v1/gifts/${before.gift_id}`)).body, now, act);
      const order = await sandbox.get(`/v1/orders/${placed.body.order_id}`);
      assert.deepEqual(order.body, { ...placed.body, gifts: [now] });
    }
  });

interface Row {
  delivery_state: string | null;
  opened_at: Date | null;
  claimed_at: Date | null;
  card_id: string | null;
  spent_cents: number;
}
const rowsOf = ({ organizationUuid }: TestOrganization) =>
  service.sql<Row>(
    `select delivery_state, opened_at, claimed_at, card_id, spent_cents from gifts
     where organization_id = $1 order by gift_id`,
    [organizationUuid],
  );

test('opening or claiming settles a pending delivery and is stamped once', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([gift(), gift(), linkGift()]);
  const [opened, claimed, link] = body.gifts as [Gift, Gift, Gift];
  const first = new Date(service.clock.now());
  await simulate(organization, opened.gift_id, 'open');
  await simulate(organization, claimed.gift_id, 'claim');
  await simulate(organization, link.gift_id, 'open');
  await service.clock.advance(5_000);
  const second = new Date(service.clock.now());
  for (const { gift_id } of [opened, claimed, link]) await simulate(organization, gift_id, 'open');
  await simulate(organization, link.gift_id, 'claim');
  const rows = await rowsOf(organization);
  const card_id = rows[1]?.card_id;
  assert.ok(card_id);
  assert.deepEqual(rows, [
    { delivery_state: 'delivered', opened_at: first, claimed_at: null, card_id: null, spent_cents: 0 },
    // Claiming an unopened gift also stamps the opening.
    { delivery_state: 'delivered', opened_at: first, claimed_at: first, card_id, spent_cents: 0 },
    { delivery_state: null, opened_at: first, claimed_at: second, card_id: rows[2]?.card_id, spent_cents: 0 },
  ]);
});

test('exactly one of twenty concurrent claims on two processes wins', async () => {
  const organization = await service.organization();
  const other = await service.second();
  const clients = [organization.sandbox, other.api(organization.keys.sandbox)];
  const { body } = await organization.sandbox.order([gift()]);
  const [{ gift_id }] = body.gifts;
  const claims = Array.from({ length: 20 }, (_, index) => clients[index % 2] ?? organization.sandbox);
  const answers = await Promise.all(claims.map((sandbox) => simulate({ sandbox }, gift_id, 'claim')));
  const winners = answers.filter(({ status }) => status === 200);
  assert.equal(winners.length, 1);
  assert.equal(winners[0]?.body.delivery.status, 'claimed');
  for (const answer of answers) if (answer.status !== 200) assertError(answer, 'gift_already_redeemed');
});

test('concurrent claims and openings end as claimed', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order(Array.from({ length: 10 }, () => gift()));
  const answers = await Promise.all(
    (body.gifts as Gift[]).flatMap(({ gift_id }) =>
      (['open', 'claim', 'delivered', 'open', 'spend'] as const).map((act) => simulate(organization, gift_id, act)),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 422]));
  const { data } = (await organization.sandbox.get('/v1/gifts')).body;
  assert.deepEqual(new Set(data.map(({ delivery }: Gift) => delivery.status)), new Set(['claimed']));
});
