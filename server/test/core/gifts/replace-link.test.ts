import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERASED_ADDRESS } from '../../../src/core/gifts/gift/address.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { giftsPath } from '../../harness/portal-gifts.ts';
import { giftLink, openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

async function order({ sandbox }: TestOrganization, one: object, client = sandbox) {
  const [{ gift_id: giftId, delivery }] = (await client.order([one])).body.gifts;
  return { giftId: giftId as string, link: delivery.link as string, path: `/v1/gifts/${giftId}/link` };
}

const statusOf = async (link: string, act = '') =>
  (await openLink(service, link + act, act === '' ? 'GET' : 'POST')).status;

test('a leaked link is replaced: it is unknown, and the new one works', async () => {
  const organization = await service.organization();
  const { giftId, link, path } = await order(organization, linkGift());
  const { status, body } = await organization.sandbox.post(path);
  assert.deepEqual([status, body.gift_id, body.delivery.status], [200, giftId, 'sent']);
  const fresh = body.delivery.link;
  assert.notEqual(fresh, link);
  for (const act of ['', '/open', '/claim', '/renew']) assert.equal(await statusOf(link, act), 404, act);
  assert.deepEqual((await organization.sandbox.get(`/v1/gifts/${giftId}`)).body, body);
  assert.equal(await statusOf(fresh, '/claim'), 303);
});

test('an email gift is sent again to its address, and its earlier link is unknown', async () => {
  const organization = await service.organization();
  const { giftId, path } = await order(organization, gift(), organization.live);
  const earlier = await giftLink(service, organization, 'live');
  await openLink(service, `${earlier}/open`, 'POST');
  const { status, body } = await organization.live.post(path);
  assert.deepEqual([status, body.delivery], [200, { method: 'email', status: 'opened', email: 'someone@example.com' }]);
  assert.equal(await statusOf(earlier), 404);
  assert.equal(await statusOf(await giftLink(service, organization, 'live')), 200);
  const jobs = await service.sql<{ count: number }>(
    `select count(*)::integer as count from pgboss.job where data->>'organizationId' = $1`,
    [organization.organizationUuid],
  );
  assert.equal(
    jobs.reduce((sum, { count }) => sum + count, 0),
    2,
  );
  const messages = await service.sql(
    'select address, link_version from deliveries where organization_id = $1 order by 2',
    [organization.organizationUuid],
  );
  assert.deepEqual(
    messages,
    [1, 2].map((link_version) => ({ address: 'someone@example.com', link_version })),
  );
  assert.equal((await organization.live.get(`/v1/gifts/${giftId}`)).status, 200);
});

test('in the sandbox the address steers what is sent again', async () => {
  const organization = await service.organization();
  for (const [localPart, status] of [
    ['bounced', 'failed'],
    ['delivered', 'sent'],
    ['neutral', 'sent'],
  ] as const) {
    const { path } = await order(organization, emailGift(localPart));
    assert.equal((await organization.sandbox.post(path)).body.delivery.status, status);
  }
});

test('new links count as redirects, and the sixth is refused', async () => {
  const organization = await service.organization();
  const { path, link } = await order(organization, linkGift());
  for (let time = 0; time < 5; time += 1) assert.equal((await organization.sandbox.post(path)).status, 200);
  const sixth = await organization.sandbox.post(path);
  assert.deepEqual([sixth.status, sixth.body.error.code], [422, 'gift_resend_limit_reached']);
  assert.equal(await statusOf(link), 404);
});

test('a claimed or erased gift gets no new link', async () => {
  const organization = await service.organization();
  const claimed = await order(organization, emailGift('claimed'));
  assert.equal((await organization.sandbox.post(claimed.path)).body.error.code, 'gift_already_redeemed');
  const erased = await order(organization, emailGift('neutral'));
  await service.sql('update gifts set address = $2 where organization_id = $1 and claimed_at is null', [
    organization.organizationUuid,
    ERASED_ADDRESS,
  ]);
  assert.equal((await organization.sandbox.post(erased.path)).body.error.code, 'gift_delivery_not_updatable');
});

test('of a claim and a new link at the same moment, only one wins', async () => {
  for (let round = 0; round < 10; round += 1) {
    const organization = await service.organization();
    const { link, path, giftId } = await order(organization, linkGift());
    const [claim, replaced] = await Promise.all([
      openLink(service, `${link}/claim`, 'POST'),
      organization.sandbox.post(path),
    ]);
    const { status } = (await organization.sandbox.get(`/v1/gifts/${giftId}`)).body.delivery;
    if (replaced.status === 200) assert.equal(status, 'sent');
    else assert.deepEqual([replaced.body.error.code, status, claim.status], ['gift_already_redeemed', 'claimed', 303]);
  }
});

test('an admin replaces the link in the portal, a member cannot', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const { giftId, link } = await order(organization, linkGift());
  const path = giftsPath(organization, `/${giftId}/link`);
  const member = await createPortalClient(service, 'member@example.com');
  assert.equal((await member.call('POST', path)).body.error.code, 'admin_required');
  const admin = await createPortalClient(service, 'admin@example.com');
  const { body } = await admin.call('POST', path);
  assert.deepEqual([body.gift.gift_id, body.redirect.left], [giftId, 4]);
  assert.equal(await statusOf(link), 404);
  assert.equal(await statusOf((await admin.call('GET', path)).body.link), 200);
});

test('an Idempotency-Key replaces the link once, and not for another path or body', async () => {
  const organization = await service.organization();
  const [{ path }, other] = [await order(organization, linkGift()), await order(organization, linkGift())];
  const headers = { 'Idempotency-Key': 'replace once' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => organization.sandbox.post(path, null, headers)));
  const done = answers.filter(({ status }) => status === 200);
  for (const { body } of answers.filter(({ status }) => status !== 200))
    assert.equal(body.error.code, 'idempotency_in_progress');
  assert.equal(new Set(done.map(({ body }) => body.delivery.link)).size, 1);
  const again = await organization.sandbox.post(path, null, headers);
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  assert.equal(again.body.delivery.link, done[0]?.body.delivery.link);
  const elsewhere = await organization.sandbox.post(other.path, null, headers);
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [409, 'idempotency_key_reused']);
  const refused = await organization.sandbox.post(path, null, { 'Idempotency-Key': 'ä' });
  assert.deepEqual([refused.status, refused.body.error.param], [422, 'Idempotency-Key']);
});

test('an error does not use up an Idempotency-Key', async () => {
  const organization = await service.organization();
  const { giftId, path } = await order(organization, linkGift());
  const headers = { 'Idempotency-Key': 'after a claim' };
  await organization.sandbox.post(`/v1/sandbox/gifts/${giftId}/claim`);
  for (let time = 0; time < 2; time += 1)
    assert.equal((await organization.sandbox.post(path, null, headers)).body.error.code, 'gift_already_redeemed');
  const other = await order(organization, linkGift());
  assert.equal((await organization.sandbox.post(other.path, null, headers)).status, 200);
});
