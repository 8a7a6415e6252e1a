import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetOldSpending } from '../../../src/core/caps/forget-old-spending.ts';
import type { GrantLimits } from '../../../src/core/grants/grant.ts';
import { setLimits } from '../../../src/core/grants/set-limits.ts';
import type { Agent } from '../../harness/agent.ts';
import { everything, grantedAgent } from '../../harness/agent-grant.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { balanceOf } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const HOUR_MS = 3_600_000;

/** Places an order once it is not held up by another, and returns the code of its refusal. */
async function order(agent: Agent, gifts: object[]): Promise<string | undefined> {
  const preview = await agent.call('preview_order', { gifts });
  const refused = preview.body.error ?? preview.body.refusal;
  if (refused !== undefined) return refused.code;
  for (;;) {
    const given = { gifts, preview_token: preview.body.preview_token };
    const { code } = (await agent.call('place_order', given)).body.error ?? {};
    if (code !== 'resource_locked' && code !== 'idempotency_in_progress') return code;
  }
}

/** The code of placing a previewed order whose limit was lowered since. */
const placed = async (agent: Agent, previewed: object) => {
  const { body } = await agent.call('place_order', previewed);
  return [body.error?.code, body.error?.message];
};

const cases: [keyof GrantLimits, code: string, message: RegExp, againAfterMs: number | undefined][] = [
  [
    'order',
    'not_granted',
    /^This agent’s orders may cost at most \$25\.00 each; .* An admin can raise the limit/,
    undefined,
  ],
  [
    'recipient',
    'insufficient_balance',
    /^This agent’s gifts to one recipient may be worth at most \$25\.00 per day/,
    24 * HOUR_MS,
  ],
  ['hour', 'insufficient_balance', /^This agent’s orders may cost at most \$25\.00 per hour/, HOUR_MS],
  ['day', 'insufficient_balance', /^This agent’s orders may cost at most \$25\.00 per day/, 24 * HOUR_MS],
  ['life', 'not_granted', /^This agent’s orders may cost at most \$25\.00 in all/, undefined],
];

for (const [limit, code, message, againAfterMs] of cases)
  test(`the limit of ${limit} is met to the cent, by the statement that places the order`, async () => {
    const organization = await service.organization();
    const agent = await grantedAgent(service, organization, { ...everything, limits: { [limit]: 2_500 } });
    const gift = (amount: number) => ({ ...emailGift('delivered'), amount });
    if (limit !== 'order') assert.equal(await order(agent, [gift(1_500)]), undefined);
    const most = limit === 'order' ? 2_500 : 1_000;
    assert.equal(await order(agent, [gift(most + 1)]), code);
    // Previewed while the limit was higher: the statement itself refuses.
    const owner = { organizationId: organization.organizationId, environment: 'sandbox', actor: OPERATOR } as const;
    const raise = (cents: number) =>
      setLimits(service.service.deps, { ...owner, grantId: agent.grant_id, limits: { [limit]: cents } });
    await raise(10_000);
    const previewed = await agent.preview({ gifts: [gift(most + 1)] });
    await raise(2_500);
    const [refused, why] = await placed(agent, previewed);
    assert.equal(refused, code);
    assert.match(why, message);
    assert.equal(await order(agent, [gift(most)]), undefined);
    const spent = 1_000_000 - (await balanceOf(service, organization, 'sandbox'));
    assert.equal(spent, 2_500);
    if (limit === 'order') return;
    assert.equal(await order(agent, [gift(1_000)]), code);
    await service.clock.jump(againAfterMs ?? 72 * HOUR_MS);
    await forgetOldSpending(service.service.deps);
    assert.equal(await order(agent, [gift(1_000)]), againAfterMs === undefined ? code : undefined);
  });

test('forty orders at once meet the limit of a grant’s life exactly, and those of others do not count', async () => {
  const organization = await service.organization();
  await organization.sandbox.order([linkGift(50_000)]);
  const agent = await grantedAgent(service, organization, { ...everything, limits: { life: 30_000 } });
  const codes = await Promise.all(Array.from({ length: 40 }, () => order(agent, [linkGift(1_000)])));
  assert.equal(codes.filter((code) => code === undefined).length, 30);
  assert.equal(codes.filter((code) => code === 'not_granted').length, 10);
  assert.equal(await balanceOf(service, organization, 'sandbox'), 1_000_000 - 50_000 - 30_000);
});

test('two agents have their own counters of a recipient', async () => {
  const organization = await service.organization();
  const wish = { ...everything, limits: { recipient: 2_000 } };
  const [one, other] = [
    await grantedAgent(service, organization, wish),
    await grantedAgent(service, organization, wish),
  ];
  const gift = { ...emailGift('delivered'), amount: 2_000 };
  assert.equal(await order(one, [gift]), undefined);
  assert.equal(await order(one, [gift]), 'insufficient_balance');
  assert.equal(await order(other, [gift]), undefined);
});

test('a grant with a limit for each recipient orders no link gift, which has none', async () => {
  const organization = await service.organization();
  const agent = await grantedAgent(service, organization, { ...everything, limits: { recipient: 2_000 } });
  const { body } = await agent.call('preview_order', { gifts: [emailGift('delivered'), linkGift(1_000)] });
  assert.deepEqual([body.error.code, body.error.param], ['not_granted', 'gifts[1]']);
  assert.match(body.error.message, /does not include link gifts, because it has a limit for each recipient/);
});

test('a redirect counts for the agent’s limit of its new recipient', async () => {
  const organization = await service.organization();
  const agent = await grantedAgent(service, organization, { ...everything, limits: { recipient: 2_500 } });
  const { body } = await agent.call('place_order', await agent.preview({ gifts: [emailGift('delivery-failed')] }));
  await agent.call('place_order', await agent.preview({ gifts: [{ ...emailGift('delivered'), amount: 1_000 }] }));
  const [{ gift_id }] = body.gifts;
  const redirect = (localPart: string) =>
    agent.call('redirect_gift', { gift_id, delivery: emailGift(localPart)['delivery'] });
  assert.equal((await redirect('delivered')).body.error.code, 'insufficient_balance');
  assert.equal((await redirect('opened')).isError, false);
});
