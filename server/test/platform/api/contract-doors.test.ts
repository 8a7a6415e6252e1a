import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelGift } from '../../../src/core/gifts/cancel/cancel-gift.ts';
import { holdGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { holdGifts } from '../../../src/core/organizations/hold-gifts.ts';
import { admitted } from '../../../src/platform/authentication/caller.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { type Answer, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { recordCalls } from '../../harness/contract-calls.ts';
import { judgeBySpecification } from '../../harness/judge-answer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { SPECIFIED_CODES, specifiedAnswer } from '../../harness/specification.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

/** What other doors did to a gift reaches a client of the specification only in the specification's words. */

const service = openForFile(() => startTestService());
const scopeOf = ({ organizationUuid }: TestOrganization) =>
  ({ organizationId: organizationUuid, environment: 'sandbox' }) as const;
const uuidOf = (giftId: string) => decodeId('gift', giftId) ?? '';

type State = (organization: TestOrganization, giftId: string) => Promise<unknown>;
const held: State = (organization, giftId) =>
  holdGift(service.service.deps, { scope: scopeOf(organization), giftId: uuidOf(giftId), actor: OPERATOR });
const allHeld: State = ({ organizationId }) => holdGifts(service.service.deps, { organizationId, actor: OPERATOR });
const canceled: State = (organization, giftId) =>
  cancelGift(service.service.deps, admitted(scopeOf(organization)), {
    giftId: uuidOf(giftId),
    reason: undefined,
    actor: OPERATOR,
  });
const asOrdered: State = () => Promise.resolve();

const later = gift({ send_at: '2027-01-02T09:00:00Z' });
const failed = emailGift('bounced');
const PUT = 'delivery';
const onHold = 'gift_on_hold';
const gone = 'gift_canceled';
const waits = 'gift_scheduled';

/** The act, the gift as ordered, what a door did, and the code with its reason. */
const cases: [act: string, one: object, state: State, code: string, reason: string][] = [
  [PUT, failed, held, 'gift_delivery_not_updatable', onHold],
  [PUT, failed, allHeld, 'gift_delivery_not_updatable', onHold],
  [PUT, failed, canceled, 'gift_delivery_not_updatable', gone],
  ['deliver', gift(), canceled, 'gift_already_delivered', gone],
  ['deliver', later, asOrdered, 'gift_delivery_not_simulatable', waits],
  ['open', gift(), canceled, 'gift_already_redeemed', gone],
  ['open', later, asOrdered, 'gift_delivery_not_simulatable', waits],
  ['claim', linkGift(), held, 'gift_already_redeemed', onHold],
  ['claim', linkGift(), allHeld, 'gift_already_redeemed', onHold],
  ['claim', linkGift(), canceled, 'gift_already_redeemed', gone],
  ['claim', later, asOrdered, 'gift_already_redeemed', waits],
  ['spend', emailGift('claimed'), held, 'gift_not_claimed', onHold],
  ['spend', gift(), canceled, 'gift_not_claimed', gone],
];

const call = ({ sandbox }: TestOrganization, act: string, giftId: string): Promise<Answer> =>
  act === PUT
    ? sandbox.put(`/v1/gifts/${giftId}/delivery`, { method: 'email', email: 'pat@example.com' })
    : sandbox.post(`/v1/sandbox/gifts/${giftId}/${act}`);

for (const [act, one, state, code, reason] of cases)
  test(`${act}: ${code} because of ${reason}${state === allHeld ? ' of all' : ''}`, async () => {
    const organization = await service.organization();
    const [{ gift_id: giftId }] = (await organization.sandbox.order([one])).body.gifts;
    await state(organization, giftId);
    const { status, headers, body } = await call(organization, act, giftId);
    const { message, doc_url, request_id } = body.error;
    const type = 'invalid_request_error';
    assert.deepEqual([status, body.error], [422, { type, code, message, reason, doc_url, request_id }]);
    assert.equal(headers.has('retry-after'), false);
  });

test('a client that uses nothing new gets the closed document of the specification', async () => {
  const calls = await recordCalls(service);
  const seen = new Set<string>();
  for (const { call: name, status, headers, body } of calls) {
    const [method = '', path = ''] = name.split(' ');
    if (body === '') continue;
    judgeBySpecification(method, path, { status, headers: new Headers(headers), body: JSON.parse(body) }, true);
    seen.add(specifiedAnswer(method, path) ?? '');
  }
  for (const name of ['Order', 'OrderList', 'Gift', 'GiftList', 'CategoryList', 'SandboxResetResult'])
    assert.ok(seen.has(name), name);
  assert.equal(Object.keys(SPECIFIED_CODES).length, 25);
});

test('the closed document sees a further field, a further code and a missing header', () => {
  const judge = (path: string, status: number, body: object, headers = {}) =>
    judgeBySpecification('GET', path, { status, headers: new Headers(headers), body }, true);
  const error = { type: 'api_error', code: 'resource_locked', message: 'm', request_id: 'r' };
  judge('/v1/gifts', 409, { error }, { 'retry-after': '1' });
  assert.throws(() => judge('/v1/gifts', 409, { error }));
  assert.throws(() => judge('/v1/gifts', 409, { error: { ...error, code: onHold } }, { 'retry-after': '1' }));
  assert.throws(() => judge('/v1/gifts', 409, { error: { ...error, reason: onHold } }, { 'retry-after': '1' }));
  assert.throws(() => judge('/v1/health', 200, { status: 'ok', more: 1 }));
});
