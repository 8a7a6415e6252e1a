import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { releaseGift } from '../../../src/core/gifts/hold/hold-gift.ts';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { createSecret, sign } from '../../../src/platform/base/webhook-signature.ts';
import { readConfig } from '../../../src/platform/configuration/config.ts';
import { linkGift } from '../../harness/api-client.ts';
import { chooseFake } from '../../harness/fake-issuer.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { until } from '../../harness/server-process.ts';
import { openLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';
import { type Reply, startWebhookReceiver } from '../../harness/webhook-receiver.ts';

// The operator's service allows or holds each claim of a live gift; without its answer nothing is claimed.

const SECRET = createSecret();
const receiver = await startWebhookReceiver();
after(() => receiver.close());
const service = openForFile(() =>
  startTestService({ SCREENING_URL: `${receiver.url}/screen`, SCREENING_SECRET: SECRET }),
);

const decide = (decision: string): Reply => ({ status: 200, body: JSON.stringify({ decision }) });

interface Bought {
  organization: TestOrganization;
  giftId: string;
  uuid: string;
  link: string;
}

async function buy(answer: Reply): Promise<Bought> {
  receiver.received.length = 0;
  receiver.reply = () => answer;
  const organization = await service.organization();
  const { body } = await organization.live.order([linkGift()]);
  const [{ gift_id: giftId, delivery }] = body.gifts;
  return { organization, giftId, uuid: decodeId('gift', giftId) ?? '', link: delivery.link };
}

const claim = ({ link }: Pick<Bought, 'link'>, body?: URLSearchParams) =>
  fetch(`${service.url}/g/${link.slice(-76)}/claim`, { method: 'POST', redirect: 'manual', ...(body && { body }) });

async function stateOf({ uuid }: Bought) {
  const [row] = await service.sql<{ claimed: boolean; held: boolean; leased: boolean }>(
    `select claimed_at is not null as claimed, held_at is not null as held, screening_until is not null as leased
     from gifts where gift_id = $1`,
    [uuid],
  );
  return row;
}

const FREE = { claimed: false, held: false, leased: false };
const CLAIMED = { claimed: true, held: false, leased: false };
const HELD = { claimed: false, held: true, leased: false };

test('an allowed claim goes on, after a signed question', async () => {
  const bought = await buy(decide('allow'));
  assert.equal((await claim(bought)).status, 303);
  assert.deepEqual(await stateOf(bought), CLAIMED);
  const [asked, ...more] = receiver.received;
  assert.ok(asked !== undefined && more.length === 0);
  assert.deepEqual(asked.body, {
    gift_id: bought.giftId,
    organization_id: bought.organization.organizationId,
    amount: 2500,
    currency: 'USD',
    category: 'coffee',
    entered: null,
    country: null,
  });
  assert.equal(asked.timestamp, Math.floor(service.clock.now() / 1_000));
  assert.equal(asked.signature, sign([SECRET], asked.id, asked.timestamp, asked.text));
});

test('the question has what the recipient entered', async () => {
  const bought = await buy(decide('allow'));
  const provider = await chooseFake([service], bought.organization);
  provider.requirements = {
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
    country: 'US',
  };
  assert.equal((await claim(bought, new URLSearchParams({ name: 'Ada' }))).status, 303);
  assert.deepEqual(await stateOf(bought), CLAIMED);
  const { entered, country } = receiver.received[0]?.body ?? {};
  assert.deepEqual({ entered, country }, { entered: { name: 'Ada' }, country: 'US' });
});

test('a claim that is not allowed holds the gift, with a mail and an audit entry', async () => {
  const bought = await buy(decide('hold'));
  assert.equal((await claim(bought)).status, 303);
  assert.deepEqual(await stateOf(bought), HELD);
  assert.match((await openLink(service, bought.link)).text, /on hold/);
  const own = [bought.organization.organizationUuid];
  const audited = await service.sql(
    `select actor_kind, actor_name, details from audit_events where organization_id = $1 and action = 'gift.held'`,
    own,
  );
  assert.deepEqual(audited, [
    { actor_kind: 'operator', actor_name: 'the operator (screening)', details: { reason: 'screening' } },
  ]);
  const mails = await service.sql(
    `select details->>'gift_id' as gift_id from notices where organization_id = $1 and kind = 'gift_held'`,
    own,
  );
  assert.deepEqual(mails, [{ gift_id: bought.giftId }]);
  receiver.reply = () => decide('allow');
  const scope = { organizationId: bought.organization.organizationUuid, environment: 'live' } as const;
  await releaseGift(service.service.deps, { scope, giftId: bought.uuid, actor: OPERATOR });
  assert.equal((await claim(bought)).status, 303);
  assert.deepEqual(await stateOf(bought), CLAIMED);
});

test('without an answer within two seconds nothing is claimed', async () => {
  const bought = await buy(undefined);
  const claiming = claim(bought);
  await until(async () => receiver.received.length === 1, 'the service is asked');
  await service.clock.advance(1_999);
  assert.equal((await stateOf(bought))?.leased, true);
  await service.clock.advance(1);
  const answer = await claiming;
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /cannot be claimed right now.*come back later/);
  assert.deepEqual(await stateOf(bought), FREE);
});

test('after an answer that is not understood, the gift can be claimed later', async () => {
  const answers: Reply[] = [
    { status: 200, body: 'allow' },
    { status: 200, body: 'null' },
    { status: 200, body: '{"decision":"ALLOW"}' },
    { status: 200, body: '{"decision":["allow"]}' },
    { status: 200, body: `{"decision":"allow","more":"${'x'.repeat(5_000)}"}` },
    { status: 201, body: '{"decision":"allow"}' },
    { status: 500, body: '{"decision":"allow"}' },
    { status: 302, headers: { location: `${receiver.url}/other` } },
  ];
  const bought = await buy(undefined);
  for (const answer of answers) {
    receiver.reply = ({ path }) => (path === '/other' ? decide('allow') : answer);
    assert.equal((await claim(bought)).status, 503, JSON.stringify(answer));
    assert.deepEqual(await stateOf(bought), FREE);
  }
  receiver.reply = () => decide('allow');
  assert.equal((await claim(bought)).status, 303);
});

test('of two claims at once one is screened, and the other cannot pass a hold', async () => {
  const bought = await buy(undefined);
  const held = Promise.withResolvers<void>();
  receiver.reply = async () => {
    receiver.reply = () => decide('allow');
    await held.promise;
    return decide('hold');
  };
  const first = claim(bought);
  await until(async () => receiver.received.length === 1, 'the service is asked');
  const others = await Promise.all(Array.from({ length: 5 }, () => claim(bought)));
  assert.ok(others.every(({ status }) => status === 503));
  held.resolve();
  assert.equal((await first).status, 303);
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(await stateOf(bought), HELD);
});

test('a claim after a crash during the screening is screened again', async () => {
  const bought = await buy(decide('allow'));
  const crashed = new Date(service.clock.now() + 20_000);
  await service.sql('update gifts set screening_until = $2 where gift_id = $1', [bought.uuid, crashed]);
  assert.equal((await claim(bought)).status, 503);
  await service.clock.jump(20_000);
  assert.equal((await claim(bought)).status, 303);
  assert.deepEqual(await stateOf(bought), CLAIMED);
});

test('an address without a secret is refused', () => {
  const refusal = /^SCREENING_URL and SCREENING_SECRET must be set together/;
  assert.throws(() => readConfig({ SCREENING_URL: receiver.url }), { message: refusal });
});

test('the sandbox is not screened', async () => {
  const { organization } = await buy(decide('hold'));
  const { body } = await organization.sandbox.order([linkGift()]);
  assert.equal((await claim({ link: body.gifts[0].delivery.link })).status, 303);
  assert.equal(receiver.received.length, 0);
});
