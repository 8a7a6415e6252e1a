import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { holdGift, releaseGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { holdGifts, releaseGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { reinstateOrganization } from '../../../src/core/organizations/reinstate-organization.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { connectAgent } from '../../harness/agent.ts';
import { type Answer, emailGift, linkGift } from '../../harness/api-client.ts';
import { eventsDuring, typesDuring } from '../../harness/events.ts';
import { allowRequests, ask, giftTo, requestsPath } from '../../harness/gift-requests.ts';
import { balanceOf, verifyAll } from '../../harness/ledger.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { processed } from '../../harness/processing-orders.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** While all gifts of an organization are on hold, it cannot buy more that no one could claim. */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));

const input = ({ organizationId }: TestOrganization) => ({ organizationId, actor: OPERATOR });
const hold = (organization: TestOrganization) => holdGifts(service.service.deps, input(organization));
const release = (organization: TestOrganization) => releaseGifts(service.service.deps, input(organization));
const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.error?.code, body.error?.reason];
const REFUSED = [403, 'organization_suspended', 'gifts_on_hold'];

test('what a suspension leaves on hold is refused before it is charged', async () => {
  const organization = await service.organization();
  const { live, sandbox } = organization;
  const before = await balanceOf(service, organization, 'live');
  const { deps } = service.service;
  await suspendOrganization(deps, { ...input(organization), holdsGifts: true });
  await reinstateOrganization(deps, input(organization));
  for (const client of [live, sandbox]) {
    const refused = await client.order([linkGift(), emailGift('claimed')], 'later');
    assert.deepEqual(refusal(refused), REFUSED);
    assert.match(refused.body.error.message, /The operator of this service set the hold/);
  }
  assert.equal((await sandbox.order([emailGift('processing')])).status, 403);
  assert.equal(await balanceOf(service, organization, 'live'), before);
  assert.deepEqual(
    await service.sql('select from gifts where organization_id = $1', [organization.organizationUuid]),
    [],
  );
  await release(organization);
  assert.equal((await live.order([linkGift()], 'later')).status, 201);
  await verifyAll(service);
});

test('a reinstatement can release the gifts too', async () => {
  const organization = await service.organization();
  const { deps } = service.service;
  await suspendOrganization(deps, { ...input(organization), holdsGifts: true });
  const { gifts_held_at } = await reinstateOrganization(deps, { ...input(organization), releasesGifts: true });
  assert.equal(gifts_held_at, null);
  assert.equal((await organization.live.order([linkGift()])).status, 201);
});

test('a replay answers, and the lists and gifts stay as they are', async () => {
  const organization = await service.organization();
  const { live } = organization;
  const placed = await live.order([linkGift()], 'before');
  await hold(organization);
  const again = await live.order([linkGift()], 'before');
  assert.deepEqual([again.status, again.body], [200, placed.body]);
  assert.deepEqual((await live.get('/v1/orders')).body.data, [placed.body]);
});

test('every other door is refused too, and says who lifts the hold', async () => {
  const organization = await service.organization();
  await organization.addMembers();
  const admin = await createPortalClient(service, 'admin@example.com');
  const member = await createPortalClient(service, 'member@example.com');
  await allowRequests(admin, organization);
  const agent = await connectAgent(service.url, organization.keys.sandbox);
  const previewed = await agent.preview({ gifts: [linkGift()] });
  const before = await balanceOf(service, organization, 'sandbox');
  const path = `/organizations/${organization.organizationId}`;
  assert.equal((await admin.call('POST', `${path}/gifts/hold`)).status, 204);
  const requestId = await ask(member, requestsPath(organization), giftTo('ada@example.com'));
  const order = { form_id: randomUUID(), gifts: [linkGift()] };
  const answers = [
    await admin.call('POST', `${path}/sandbox/orders`, order),
    await admin.call('POST', requestsPath(organization, `/${requestId}/approve`)),
    { status: 403, ...(await agent.call('place_order', previewed)) },
    { status: 403, ...(await agent.call('preview_order', { gifts: [linkGift()] })) },
  ];
  for (const answer of answers) {
    assert.deepEqual(refusal(answer), REFUSED);
    assert.match(answer.body.error.message, /An admin of the organization set the hold/);
  }
  assert.equal(await balanceOf(service, organization, 'sandbox'), before);
  assert.equal((await admin.call('POST', `${path}/gifts/release`)).status, 204);
  const approved = await admin.call('POST', requestsPath(organization, `/${requestId}/approve`));
  assert.equal(approved.body.state, 'approved');
});

test('a steered gift that is created under a hold begins unclaimed', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const { body } = await sandbox.order([emailGift('processing'), emailGift('claimed'), emailGift('spent')]);
  await hold(organization);
  const { gifts } = await processed(service, sandbox, body.order_id);
  assert.equal(gifts.length, 3);
  const claimed = 'select from gifts where organization_id = $1 and (claimed_at is not null or spent_cents > 0)';
  assert.deepEqual(await service.sql(claimed, [organization.organizationUuid]), []);
  await verifyAll(service);
});

test('holds of gifts and of the organization are events, once', async () => {
  const organization = await service.organization();
  const [gift] = (await organization.live.order([linkGift()])).body.gifts;
  const giftId = decodeId('gift', gift.gift_id) ?? '';
  const scope = { organizationId: organization.organizationUuid, environment: 'live' } as const;
  const { deps } = service.service;
  const one = { scope, giftId, actor: OPERATOR };
  const events = await eventsDuring(service, organization, 'live', async () => {
    for (const act of [holdGift, holdGift, releaseGift, releaseGift]) await act(deps, one);
    for (const act of [hold, hold, release, release]) await act(organization);
    await suspendOrganization(deps, { ...input(organization), holdsGifts: true });
    const reinstate = () => reinstateOrganization(deps, { ...input(organization), releasesGifts: true });
    for (const act of [reinstate, reinstate]) await act();
  });
  const ofOrganization = ['gifts_held', 'gifts_released', 'suspended', 'gifts_held', 'reinstated', 'gifts_released'];
  assert.deepEqual(
    events.map(({ type, gift_id }) => [type, gift_id]),
    [['gift.held', giftId], ['gift.released', giftId], ...ofOrganization.map((name) => [`organization.${name}`, null])],
  );
  assert.deepEqual(await typesDuring(service, organization, 'sandbox', () => hold(organization)), [
    'organization.gifts_held',
  ]);
  const { body } = await organization.live.get('/v1/events?types=gift.held');
  assert.deepEqual(body.data[0].data, { order_id: body.data[0].data.order_id, gift_id: gift.gift_id });
});
