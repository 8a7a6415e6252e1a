import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ErrorCode, errorCodes } from '../../src/errors.ts';
import { assertError, emailGift, gift, linkGift } from '../harness/api-client.ts';
import { startTestService, type TestOrganization, type TestService } from '../harness/test-service.ts';

/** Specification, parts 3 and 4 («Sandbox»); decisions, «Gift status». */

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

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
interface State {
  name: string;
  /** The gift ordered, and what is then done to it. */
  gift: Record<string, unknown>;
  done: Act[];
  status: string;
  /** What each act answers in this state: the status shown, or an error, which leaves the gift as it is. */
  answers: Record<Act, Expected>;
}

const settled = { delivered: 'gift_already_delivered', failed: 'gift_already_delivered' } as const;
const link = { delivered: 'gift_delivery_not_simulatable', failed: 'gift_delivery_not_simulatable' } as const;
const untouched = { open: 'opened', claim: 'claimed', spend: 'gift_not_claimed' } as const;
const redeemed = { open: 'claimed', claim: 'gift_already_redeemed', spend: 'claimed' } as const;
const unsettled = { delivered: 'sent', failed: 'failed', ...untouched } as const;

const states: State[] = [
  { name: 'a pending email', gift: gift(), done: [], status: 'sent', answers: unsettled },
  { name: 'a pending phone', gift: phone('+442071838750'), done: [], status: 'sent', answers: unsettled },
  {
    name: 'a delivered email',
    gift: gift(),
    done: ['delivered'],
    status: 'sent',
    answers: { ...settled, ...untouched },
  },
  {
    name: 'a delivered phone',
    gift: phone('+12025550100'),
    done: [],
    status: 'sent',
    answers: { ...settled, ...untouched },
  },
  { name: 'a failed email', gift: gift(), done: ['failed'], status: 'failed', answers: unsettled },
  { name: 'a failed phone', gift: phone('+12025550101'), done: [], status: 'failed', answers: unsettled },
  {
    name: 'one that failed and arrived after all',
    gift: gift(),
    done: ['failed', 'delivered'],
    status: 'sent',
    answers: { ...settled, ...untouched },
  },
  { name: 'an opened email', gift: gift(), done: ['open'], status: 'opened', answers: { ...settled, ...untouched } },
  {
    name: 'one that failed and was opened',
    gift: gift(),
    done: ['failed', 'open'],
    status: 'opened',
    answers: { ...settled, ...untouched },
  },
  { name: 'a claimed email', gift: gift(), done: ['claim'], status: 'claimed', answers: { ...settled, ...redeemed } },
  {
    name: 'one that failed and was claimed',
    gift: gift(),
    done: ['failed', 'claim'],
    status: 'claimed',
    answers: { ...settled, ...redeemed },
  },
  {
    name: 'a spent email',
    gift: emailGift('spent'),
    done: [],
    status: 'claimed',
    answers: { ...settled, ...redeemed },
  },
  { name: 'a link', gift: linkGift(), done: [], status: 'sent', answers: { ...link, ...untouched } },
  { name: 'an opened link', gift: linkGift(), done: ['open'], status: 'opened', answers: { ...link, ...untouched } },
  { name: 'a claimed link', gift: linkGift(), done: ['claim'], status: 'claimed', answers: { ...link, ...redeemed } },
  {
    name: 'a spent link',
    gift: linkGift(),
    done: ['claim', 'spend'],
    status: 'claimed',
    answers: { ...link, ...redeemed },
  },
];

const isError = (expected: Expected): expected is ErrorCode => (errorCodes as string[]).includes(expected);

for (const { name, gift: wanted, done, status, answers } of states)
  test(`${name} answers each simulation as the tables say, and an error leaves it as it is`, async () => {
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

test('the status of a gift never steps back', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([gift()]);
  const [{ gift_id }] = body.gifts;
  const order: Record<string, number> = { failed: 0, sent: 1, opened: 2, claimed: 3 };
  let reached = 'failed';
  const walk: Act[] = [
    'failed',
    'failed',
    'delivered',
    'failed',
    'open',
    'delivered',
    'failed',
    'open',
    'spend',
    'claim',
  ];
  for (const act of [...walk, ...walk, 'spend', ...walk] as Act[]) {
    await simulate(organization, gift_id, act);
    const { status } = (await organization.sandbox.get(`/v1/gifts/${gift_id}`)).body.delivery;
    assert.ok((order[status] ?? -1) >= (order[reached] ?? 9), `${act}: ${reached} → ${status}`);
    reached = status;
  }
  assert.equal(reached, 'claimed');
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

test('opening or claiming settles a pending delivery as delivered, and stamps the gift once', async () => {
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
    // Claiming back-fills the opening of a gift that was never opened.
    { delivery_state: 'delivered', opened_at: first, claimed_at: first, card_id, spent_cents: 0 },
    { delivery_state: null, opened_at: first, claimed_at: second, card_id: rows[2]?.card_id, spent_cents: 0 },
  ]);
});

test('spend spends what is left on the card; spending again changes nothing', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([gift({ amount: 4321 })]);
  const [{ gift_id }] = body.gifts;
  await simulate(organization, gift_id, 'claim');
  const first = await simulate(organization, gift_id, 'spend');
  const row = await rowsOf(organization);
  assert.equal(row[0]?.spent_cents, 4321);
  const second = await simulate(organization, gift_id, 'spend');
  assert.deepEqual([second.status, second.body], [200, first.body]);
  assert.deepEqual(await rowsOf(organization), row);
});

test('of twenty claims at once, on two processes, one wins', async () => {
  const organization = await service.organization();
  const other = await service.second();
  try {
    const clients = [organization.sandbox, other.api(organization.keys.sandbox)];
    const { body } = await organization.sandbox.order([gift()]);
    const [{ gift_id }] = body.gifts;
    const claims = Array.from({ length: 20 }, (_, index) => clients[index % 2] ?? organization.sandbox);
    const answers = await Promise.all(claims.map((sandbox) => simulate({ sandbox }, gift_id, 'claim')));
    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.equal(winners[0]?.body.delivery.status, 'claimed');
    for (const answer of answers) if (answer.status !== 200) assertError(answer, 'gift_already_redeemed');
  } finally {
    await other.close();
  }
});

test('claims and openings at once end as claimed', async () => {
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
