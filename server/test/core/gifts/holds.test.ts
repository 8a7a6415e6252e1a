import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdGift, releaseGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { revealGiftLink } from '../../../src/core/gifts/send/reveal-gift-link.ts';
import { holdGifts, releaseGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openHolder } from '../../harness/holder.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath } from '../../harness/portal-gifts.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { until } from '../../harness/server-process.ts';
import { giftLink, startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const press = (link: string, act: string, at: Pick<TestService, 'url'> = service) =>
  fetch(`${at.url}/g/${link.slice(-76)}/${act}`, { method: 'POST', redirect: 'manual' });
const view = async (link: string) => (await fetch(`${service.url}/g/${link.slice(-76)}`)).text();

async function orderLink({ live }: TestOrganization) {
  const { body } = await live.order([linkGift(50_000)]);
  const [{ gift_id: giftId, delivery }] = body.gifts;
  return { giftId, link: delivery.link as string };
}

const holdOf = ({ organizationUuid }: TestOrganization, giftId: string, environment: 'live' | 'sandbox' = 'live') => ({
  scope: { organizationId: organizationUuid, environment },
  giftId: decodeId('gift', giftId) ?? '',
  actor: OPERATOR,
});
const shownTo = (organization: TestOrganization, giftId: string) => {
  const { scope, ...shown } = holdOf(organization, giftId);
  return [scope, shown] as const;
};
const allOf = ({ organizationId }: TestOrganization) => ({ organizationId, actor: OPERATOR });

const countClaimed = async ({ organizationUuid }: TestOrganization) => {
  const text = 'select count(*)::integer as count from gifts where organization_id = $1 and claimed_at is not null';
  return (await service.sql<{ count: number }>(text, [organizationUuid]))[0]?.count;
};

const waiting = async () =>
  (await service.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .length;

const isOnHold = /<h1>This gift is on hold<\/h1>\s*<p>[^<]*Ask <bdi>Test Organization<\/bdi>/;

test('stolen gifts of a suspended organization that are on hold cannot be claimed', async () => {
  const organization = await service.organization();
  const { link } = await orderLink(organization);
  await suspendOrganization(service.service.deps, { ...allOf(organization), holdsGifts: true });
  for (const act of ['open', 'claim', 'reveal']) {
    const answer = await press(link, act);
    assert.equal(answer.status, 409, act);
    assert.match(await answer.text(), isOnHold);
  }
  assert.match(await view(link), isOnHold);
  assert.equal(await countClaimed(organization), 0);
  await releaseGifts(service.service.deps, allOf(organization));
  assert.equal((await press(link, 'claim')).status, 303);
  assert.equal(await countClaimed(organization), 1);
});

test('a hold covers one gift, also claimed, and ends with its release', async () => {
  const organization = await service.organization();
  const [held, other] = [await orderLink(organization), await orderLink(organization)];
  await press(held.link, 'claim');
  const { deps } = service.service;
  await holdGift(deps, holdOf(organization, held.giftId));
  for (const act of ['reveal', 'purchase']) assert.equal((await press(held.link, act)).status, 409);
  assert.match(await view(held.link), isOnHold);
  assert.equal((await press(other.link, 'claim')).status, 303);
  await releaseGift(deps, holdOf(organization, held.giftId));
  assert.match(await view(held.link), /Your card for/);
});

test('the command says that a released gift is still on hold with all others', async () => {
  const organization = await service.organization();
  const { giftId } = await orderLink(organization);
  await holdGift(service.service.deps, holdOf(organization, giftId));
  await holdGifts(service.service.deps, allOf(organization));
  const release = async () => {
    const { stdout, stderr } = await runBestow(service.target, ['gift', 'release', giftId, '--json']);
    return { ...JSON.parse(stdout), stderr };
  };
  const still = await release();
  assert.equal(still.on_hold, true);
  assert.match(still.stderr, /^All gifts of the organization are on hold, .* gift release --org ORG ends that\.\n$/);
  await releaseGifts(service.service.deps, allOf(organization));
  assert.deepEqual(await release(), { gift_id: giftId, on_hold: false, stderr: '' });
});

test('a hold of all unclaimed gifts leaves claimed ones', async () => {
  const organization = await service.organization();
  const [claimed, other] = [await orderLink(organization), await orderLink(organization)];
  await press(claimed.link, 'claim');
  await holdGifts(service.service.deps, allOf(organization));
  assert.match(await view(claimed.link), /Your card for/);
  assert.match(await view(other.link), isOnHold);
});

test('the API and the recipient get no fresh link, claim, purchase or redirect', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { deps } = service.service;
  const order = async (one: object) => (await sandbox.order([one])).body.gifts[0].gift_id;
  const [claimed, failed, link, email] = [
    await order(emailGift('claimed')),
    await order(emailGift('bounced')),
    await order(linkGift()),
    await order(emailGift('delivered')),
  ];
  const mailed = await giftLink(service, organization, 'sandbox');
  for (const giftId of [claimed, failed, link, email]) await holdGift(deps, holdOf(organization, giftId, 'sandbox'));
  const before = (await sandbox.get(`/v1/gifts/${link}`)).body;
  await service.clock.jump(31 * 86_400_000);
  const elsewhere = { method: 'email', email: 'pat@example.com' };
  for (const answer of [
    await sandbox.post(`/v1/sandbox/gifts/${claimed}/spend`),
    await sandbox.post(`/v1/sandbox/gifts/${link}/claim`),
    await sandbox.put(`/v1/gifts/${failed}/delivery`, elsewhere),
  ])
    assert.deepEqual([answer.status, answer.body.error.reason], [422, 'gift_on_hold']);
  assert.deepEqual((await sandbox.get(`/v1/gifts/${link}`)).body, before);
  assert.equal((await press(mailed, 'renew')).status, 409);
  await releaseGift(deps, holdOf(organization, link, 'sandbox'));
  assert.notDeepEqual((await sandbox.get(`/v1/gifts/${link}`)).body, before);
  assert.equal((await sandbox.post(`/v1/sandbox/gifts/${link}/claim`)).status, 200);
});

const holds: Record<string, (organization: TestOrganization, giftId: string) => Promise<unknown>> = {
  'a gift': (organization, giftId) => holdGift(service.service.deps, holdOf(organization, giftId)),
  'all gifts': (organization) => holdGifts(service.service.deps, allOf(organization)),
};

for (const [name, hold] of Object.entries(holds))
  test(`no claim succeeds after a hold of ${name} is acknowledged, among 100 claims`, async () => {
    const other = await service.second();
    for (let round = 0; round < 3; round += 1) {
      const organization = await service.organization({ live: 10_000_000 });
      const orders = await Promise.all(
        Array.from({ length: 10 }, () => organization.live.order(Array.from({ length: 10 }, () => linkGift(1000)))),
      );
      const gifts = orders.flatMap(({ body }) => body.gifts);
      const links: string[] = gifts.map(({ delivery }) => delivery.link);
      const [first] = gifts;
      const pressed = name === 'a gift' ? links.map(() => links[0] ?? '') : links;
      const claims = pressed.map((link, n) => press(link, 'claim', n % 2 === 0 ? service : other));
      await claims[round * 20];
      let atHold: number | undefined;
      await hold(organization, first.gift_id).then(async () => {
        atHold = await countClaimed(organization);
      });
      await Promise.all(claims);
      const late = await Promise.all(pressed.map((link) => press(link, 'claim', other)));
      assert.equal(await countClaimed(organization), atHold);
      if (name === 'a gift') assert.deepEqual([...new Set(late.map(({ status }) => status))], [409]);
    }
    await other.close();
  });

for (const [name, hold] of Object.entries(holds))
  test(`a hold of ${name} waits for a claim that is about to commit`, async () => {
    const organization = await service.organization();
    const { giftId, link } = await orderLink(organization);
    const holder = await openHolder(service);
    try {
      await holder.query('begin');
      await holder.query('select from gifts where gift_id = $1 for update', [decodeId('gift', giftId)]);
      const claim = press(link, 'claim');
      await until(async () => (await waiting()) >= 1, 'the claim waits');
      let atHold: number | undefined;
      const held = hold(organization, giftId).then(async () => {
        atHold = await countClaimed(organization);
      });
      await until(async () => atHold !== undefined || (await waiting()) >= 2, 'the hold waits');
      await holder.query('rollback');
      await Promise.allSettled([claim, held]);
      if (atHold !== undefined) assert.equal(await countClaimed(organization), atHold);
    } finally {
      await holder.end();
    }
  });

/** Acts while a hold is about to commit, and commits it when the act waits. */
async function duringHold<Result>(text: string, id: string, act: () => Promise<Result>): Promise<Result> {
  const holder = await openHolder(service);
  try {
    await holder.query('begin');
    await holder.query(text, [id]);
    const [acted] = await Promise.all([
      act(),
      until(async () => (await waiting()) >= 1, 'it waits for the hold').then(() => holder.query('commit')),
    ]);
    return acted;
  } finally {
    await holder.end();
  }
}

test('a hold that is about to commit hides the link from admins, the number from all', async () => {
  const organization = await service.organization();
  const { organizationUuid: id } = organization;
  const { deps } = service.service;
  const [all, one, claimed] = [
    await orderLink(organization),
    await orderLink(organization),
    await orderLink(organization),
  ];
  const browser = createRecipient(service);
  await browser.press(claimed.link, 'claim');
  const show = ({ giftId }: { giftId: string }) => revealGiftLink(deps, ...shownTo(organization, giftId));
  await show(one);
  const holdOne = 'update gifts set held_at = now() where gift_id = $1';
  const isHeld = { code: 'gift_on_hold' };
  await assert.rejects(
    duringHold(holdOne, decodeId('gift', one.giftId) ?? '', () => show(one)),
    isHeld,
  );
  await assert.rejects(show(one), isHeld);
  const press = () => browser.press(claimed.link, 'reveal');
  assert.match((await press()).text, /Security code/);
  const answer = await duringHold(holdOne, decodeId('gift', claimed.giftId) ?? '', press);
  assert.equal(answer.status, 409);
  assert.match(answer.text, isOnHold);
  const holdAll = 'update organizations set gifts_held_at = now() where organization_id = $1';
  await assert.rejects(
    duringHold(holdAll, id, () => show(all)),
    isHeld,
  );
});

test('only admins hold and release in the portal; a suspension refuses the release', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const { giftId } = await orderLink(organization);
  const [admin, member] = [
    await createPortalClient(service, 'admin@example.com'),
    await createPortalClient(service, 'member@example.com'),
  ];
  const one = (act: string) => giftsPath(organization, `/${giftId}${act}`, 'live');
  const all = (act: string) => `/organizations/${organization.organizationId}/gifts/${act}`;
  for (const path of [one('/hold'), one('/release'), all('hold'), all('release')])
    assert.equal((await member.call('POST', path)).body.error.code, 'admin_required');
  const heldBy = async () => (await member.call('GET', one(''))).body.gift.held_by;
  const holdsGifts = async () =>
    (await member.call('GET', '/me')).body.memberships.find(
      ({ organization_id }: { organization_id: string }) => organization_id === organization.organizationId,
    ).holds_gifts;
  assert.equal(await heldBy(), null);
  assert.equal((await admin.call('POST', all('hold'))).status, 204);
  assert.deepEqual([await heldBy(), await holdsGifts()], ['organization', true]);
  assert.equal((await admin.call('POST', one('/hold'))).body.gift.held_by, 'gift');
  assert.equal((await admin.call('POST', all('release'))).status, 204);
  assert.deepEqual([await heldBy(), await holdsGifts()], ['gift', false]);
  assert.equal((await admin.call('POST', one('/release'))).body.gift.held_by, null);
  await suspendOrganization(service.service.deps, allOf(organization));
  assert.equal((await admin.call('POST', one('/hold'))).status, 200);
  for (const path of [one('/release'), all('release')])
    assert.equal((await admin.call('POST', path)).body.error.code, 'organization_suspended');
});
