import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftPage, GiftSimulations } from '../../../src/core/gifts/gift/portal-schema.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { portalReader } from '../../harness/portal-reader.ts';
import { giftLink, openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** The portal's page of one gift: its timeline, its messages, and what may be done with it. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const portal = portalReader(service);

const pass = (ms: number) => service.clock.setTime(service.clock.now() + ms);
const history = (organization: TestOrganization, giftId: string): Promise<GiftPage> =>
  portal.get(organization, `/gifts/${giftId}`);

async function ordered({ sandbox }: TestOrganization, wanted: Record<string, unknown>): Promise<string> {
  return (await sandbox.order([wanted])).body.gifts[0].gift_id;
}
const simulate = ({ sandbox }: TestOrganization, giftId: string, path: string, body?: unknown) =>
  sandbox.post(`/v1/sandbox/gifts/${giftId}/${path}`, body);

test('the timeline is in order if steering did everything at once', async () => {
  const organization = await service.organization();
  const page = await history(organization, await ordered(organization, emailGift('spent')));
  const { gift: shown, timeline } = page;
  assert.deepEqual(
    timeline.map(({ kind }) => kind),
    ['ordered', 'delivery', 'opened', 'claimed'],
  );
  assert.deepEqual([page.history.spent.amount, shown.spent_amount_not_listed], [2500, 2500]);
});

/** Gifts in every state that a caller can bring about. */
const states: [name: string, wanted: Record<string, unknown>, then: string[]][] = [
  ['pending', gift(), []],
  ['delivered', emailGift('delivered'), []],
  ['failed', emailGift('bounced'), []],
  ['opened', emailGift('opened'), []],
  ['failed, then opened', emailGift('bounced'), ['open']],
  ['claimed', emailGift('claimed'), []],
  ['spent', emailGift('spent'), []],
  ['link', linkGift(), []],
  ['link opened', linkGift(), ['open']],
  ['link claimed', linkGift(), ['claim']],
  ['link spent', linkGift(), ['claim', 'spend']],
];

const simulations: Record<keyof GiftSimulations, [path: string, body?: unknown]> = {
  deliver: ['deliver'],
  fail: ['deliver', { outcome: 'failed' }],
  open: ['open'],
  claim: ['claim'],
  spend: ['spend'],
};

test('simulations and redirects are offered exactly in the states that allow them', async () => {
  const organization = await service.organization({ sandbox: 10_000_000 });
  const make = async ([, wanted, then]: (typeof states)[number]) => {
    const giftId = await ordered(organization, wanted);
    for (const path of then) assert.equal((await simulate(organization, giftId, path)).status, 200);
    return giftId;
  };
  const told = ({ gift: { failure_reason: _, ...shown }, timeline }: GiftPage) => ({ shown, timeline });
  for (const state of states) {
    for (const name of Object.keys(simulations) as (keyof GiftSimulations)[]) {
      const giftId = await make(state);
      const before = await history(organization, giftId);
      await pass(1_000);
      await simulate(organization, giftId, ...simulations[name]);
      const after = await history(organization, giftId);
      const hasChanged = JSON.stringify(told(after)) !== JSON.stringify(told(before));
      assert.equal(before.simulations?.[name], hasChanged, `${state[0]}: ${name}`);
    }
    const giftId = await make(state);
    const { redirect } = await history(organization, giftId);
    const answer = await organization.sandbox.put(`/v1/gifts/${giftId}/delivery`, { method: 'email', email: 'a@b.co' });
    assert.equal(redirect.allowed, answer.status === 200, state[0]);
    assert.equal(redirect.reason === null, redirect.allowed);
  }
});

test('a gift at its redirect limit shows the limit', async () => {
  const organization = await service.organization();
  const giftId = await ordered(organization, emailGift('bounced'));
  for (const left of [5, 4, 3, 2, 1]) {
    const email = `${left % 2 === 0 ? 'bounced' : 'delivery-failed'}@sandbox.gift.test`;
    assert.deepEqual((await history(organization, giftId)).redirect, { allowed: true, reason: null, left });
    await organization.sandbox.put(`/v1/gifts/${giftId}/delivery`, { method: 'email', email });
  }
  const { redirect } = await history(organization, giftId);
  assert.deepEqual(redirect, { allowed: false, reason: 'limit_reached', left: 0 });
  const link = await history(organization, await ordered(organization, linkGift()));
  assert.deepEqual(link.redirect, { allowed: false, reason: 'link', left: 5 });
});

const NAMES = ['Ada & <i>Co</i>', 'Zoë Ünïcöde 你好', 'evil.example.com', 'A'.repeat(200), '你'.repeat(100)];

test('a message is shown without any part of its link', async () => {
  const organization = await service.organization();
  for (const sender_name of NAMES)
    for (const delivery of [
      { method: 'email', email: 'someone@example.com' },
      { method: 'phone', phone: '+12025550143' },
    ]) {
      const giftId = await ordered(organization, gift({ delivery, personalization: { sender_name } }));
      const token = /\/g\/([\w-]+)$/.exec(await giftLink(service, organization, 'sandbox'))?.[1] ?? assert.fail();
      assert.equal((await openLink(service, `/g/${token}`)).status, 200);
      const path = `/gifts/${giftId}/messages/1`;
      const shown = await portal.get(organization, path);
      assert.match(shown.text, /\/g\/…/);
      assert.equal(shown.has_letter, delivery.method === 'email');
      const letter = shown.has_letter ? await portal.get(organization, `${path}/letter`) : '';
      const texts = JSON.stringify(shown) + letter;
      for (let at = 0; at + 12 <= token.length; at += 1) assert.ok(!texts.includes(token.slice(at, at + 12)));
    }
});

test('a link gift’s link works after renewal; a gift’s page has no link', async () => {
  const organization = await service.organization();
  const giftId = await ordered(organization, linkGift());
  const link = () => portal.get(organization, `/gifts/${giftId}/link`);
  const first = await link();
  await pass(31 * 86_400_000);
  const second = await link();
  assert.notEqual(second.link, first.link);
  assert.equal(second.expires_at, new Date(service.clock.now() + 30 * 86_400_000).toISOString());
  assert.equal((await openLink(service, second.link)).status, 200);
  // Nothing else that the portal reads of a gift has a link in it.
  assert.doesNotMatch(JSON.stringify(await history(organization, giftId)), /\/g\//);
});
