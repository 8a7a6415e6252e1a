import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { encodeId } from '../../../src/platform/base/ids.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { eventsOf } from '../../harness/audit-log.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { untilLogged } from '../../harness/request-log.ts';
import { LINK_SECRET, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
let acme: TestOrganization;
let beta: TestOrganization;
before(async () => {
  acme = await service.organization();
  beta = await service.organization();
});

const bestow = (args: string[], input = '') =>
  runBestow(service.target, ['gift', 'find', ...args], { input, variables: { LINK_SECRET } });

interface Found {
  gift_id: string;
  organization_id: string;
  environment: string;
  address: string | null;
  found_by: string;
}

async function find(args: string[], input?: string): Promise<Found[]> {
  const { code, stdout, stderr } = await bestow([...args, '--json'], input);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const idsOf = (answer: { body: { gifts: { gift_id: string }[] } }): string[] =>
  answer.body.gifts.map(({ gift_id }) => gift_id);

/** The gifts that are found, as one text each. */
const by = async (query: string) => (await find([query])).map(({ gift_id, found_by }) => `${gift_id} ${found_by}`);

test('a gift is found by each thing that leads to it', async () => {
  const gifts = [
    { ...emailGift('claimed'), external_id: 'gift-1' },
    gift({ delivery: { method: 'phone', phone: '+44 20 7946 0958' }, external_id: 'gift-2' }),
  ];
  const order = { external_id: 'order-1', gifts };
  const answer = await beta.sandbox.post('/v1/orders', order, { 'Idempotency-Key': 'shop-1' });
  const [claimed = '', sent = ''] = idsOf(answer);
  const requested = await beta.sandbox.get(`/v1/gifts/${sent}`);
  await untilLogged(service, beta, 'sandbox', 2);
  const both = (kind: string) => [`${sent} ${kind}`, `${claimed} ${kind}`];
  assert.deepEqual(await by(` ${sent.toUpperCase()} `), [`${sent} gift`]);
  assert.deepEqual(await by(answer.body.order_id), both('order'));
  assert.deepEqual(await by('order-1'), both('order’s external id'));
  assert.deepEqual(await by('shop-1'), both('idempotency key'));
  assert.deepEqual(await by(answer.headers.get('request-id') ?? ''), both('request'));
  assert.deepEqual(await by(requested.headers.get('request-id') ?? ''), [`${sent} request`]);
  assert.deepEqual(await by('gift-2'), [`${sent} external id`]);
  assert.equal((await bestow([' '])).code, 2);
  const national = await bestow(['020 7946 0958']);
  assert.deepEqual([national.code, national.stderr.includes('with the code of its country')], [0, true]);
  for (const number of ['+442079460958', '+44 (0)20 7946 0958', '00442079460958'])
    assert.deepEqual(await by(number), [`${sent} address`], number);
  assert.deepEqual(await by('claimed@sandbox.gift.test'), [`${claimed} address`]);
  for (const unknown of ['claimed@', 'gift-', '+44207946095', acme.memberId]) assert.deepEqual(await by(unknown), []);
});

test('a gift is found by its card, whether the sandbox made it or an issuer', async () => {
  const [steered = '', issued = ''] = idsOf(await acme.sandbox.order([emailGift('claimed'), emailGift('someone')]));
  await acme.sandbox.post(`/v1/sandbox/gifts/${issued}/claim`);
  const rows = await service.sql<{ gift_id: string; card_id: string }>(
    'select gift_id, card_id from gifts where organization_id = $1 and card_id is not null order by gift_id',
    [acme.organizationUuid],
  );
  assert.deepEqual(
    rows.map(({ card_id, gift_id }) => card_id === gift_id),
    [false, true],
  );
  const cards = rows.map(({ card_id }) => encodeId('card', card_id));
  assert.deepEqual(
    [...(await by(cards[0] ?? '')), ...(await by(cards[1] ?? ''))],
    [`${steered} card`, `${issued} card`],
  );
});

test('a link is read from standard input and refused as an argument', async () => {
  const answer = await acme.live.order([linkGift()]);
  const { link } = answer.body.gifts[0].delivery;
  for (const input of [link, `${link}\n`, link.slice(link.lastIndexOf('/') + 1)])
    assert.deepEqual(
      (await find([], input)).map(({ gift_id, environment }) => [gift_id, environment]),
      [[idsOf(answer)[0], 'live']],
    );
  const { code, stderr } = await bestow([link]);
  assert.deepEqual([code, stderr.includes(link)], [2, false]);
  assert.deepEqual(await find([], `${link.slice(0, -4)}AAAA`), []);
});

test('what is found by an address is masked and in the audit log of each organization that has it', async () => {
  const third = await service.organization();
  const to = gift({ delivery: { method: 'email', email: 'Grace.Hopper@example.com' } });
  const [first] = idsOf(await acme.live.order([to]));
  const [second, byLink] = idsOf(await beta.sandbox.order([to, linkGift()]));
  // As the holder of a link gift enters it before the card is shown.
  await service.sql(
    `insert into card_proofs (organization_id, environment, gift_id, holder_address)
     select organization_id, environment, gift_id, 'grace.hopper@EXAMPLE.com' from gifts
     where organization_id = $1 and method = 'link'`,
    [beta.organizationUuid],
  );
  const found = await find(['grace.hopper@example.com']);
  assert.deepEqual(
    found.map(({ gift_id, organization_id, address }) => [gift_id, organization_id, address]),
    [
      [byLink, beta.organizationId, null],
      [second, beta.organizationId, 'G•••@e•••.com'],
      [first, acme.organizationId, 'G•••@e•••.com'],
    ],
  );
  const { stdout } = await bestow(['grace.hopper@example.com', '--limit', '1']);
  assert.match(stdout, new RegExp(`^gift .*\\n${byLink}  ${beta.organizationId}  Test Organization  sandbox +sent `));
  assert.equal(stdout.trim().split('\n').length, 2);
  const looks = async ({ organizationId }: TestOrganization) =>
    (await eventsOf(service, organizationId, { action: 'gifts.looked_up' }))
      .filter(({ sentence }) => !sentence.includes('1 gift '))
      .map(({ sentence, actor }) => [sentence, actor.kind]);
  assert.deepEqual(await looks(beta), [['Looked 2 gifts up by a recipient’s address', 'operator']]);
  assert.deepEqual(await eventsOf(service, third.organizationId, { action: 'gifts.looked_up' }), []);
  await third.live.order([{ ...to, external_id: 'ada@example.com' }]);
  assert.equal((await find(['ada@example.com']))[0]?.found_by, 'external id');
  assert.equal((await eventsOf(service, third.organizationId, { action: 'gifts.looked_up' })).length, 1);
  const before = await eventsOf(service, beta.organizationId);
  await find([second ?? '']);
  assert.deepEqual(await eventsOf(service, beta.organizationId), before);
});
