import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { printMany } from '../../../src/faces/command-line/print.ts';
import { emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { untilLogged } from '../../harness/request-log.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
let organization: TestOrganization;
let order: { order_id: string; gifts: { gift_id: string }[] };
before(async () => {
  organization = await service.organization();
  const gifts = [emailGift('claimed', 2500), linkGift(1000)];
  order = (await organization.sandbox.post('/v1/orders', { gifts }, { 'Idempotency-Key': 'shop-7' })).body;
  await organization.sandbox.get('/v1/gifts/gift_01h455vb4pex5vsknk084sn02q');
});

const bestow = (...args: string[]) => runBestow(service.target, args);
const ofSandbox = () => ['--org', organization.organizationId, '--environment', 'sandbox'];

test('gifts are listed and shown with a masked address and a timeline', async () => {
  const listed = await bestow('gift', 'list', ...ofSandbox(), '--status', 'claimed');
  assert.match(listed.stdout, /^gift {2,}state {2,}amount .*\ngift_\w+ {2}claimed {2}25\.00 USD \(2500 cents\)/);
  assert.equal(listed.stdout.trim().split('\n').length, 2);
  const shown = await bestow('gift', 'show', order.gifts[0]?.gift_id ?? '');
  assert.match(shown.stdout, new RegExp(`order +${order.order_id}\norganization +${organization.organizationId}\n`));
  assert.match(shown.stdout, /ordered\n.*email 1 to c•••@s•••\.test: delivered.*\n.*opened\n.*claimed onto card_/s);
  assert.doesNotMatch(listed.stdout + shown.stdout, /claimed@/);
});

test('gifts are listed by their state, also together with a search', async () => {
  const statesOf = async (...filters: string[]) => {
    const { stdout } = await bestow('gift', 'list', ...ofSandbox(), '--json', ...filters);
    return JSON.parse(stdout).map(({ gift_id, state }: { gift_id: string; state: string }) => [gift_id, state]);
  };
  const [claimed, sent] = order.gifts.map(({ gift_id }) => gift_id);
  assert.deepEqual(await statesOf('--state', 'claimed'), [[claimed, 'claimed']]);
  assert.deepEqual(await statesOf('--state', 'sent'), [[sent, 'sent']]);
  assert.deepEqual(await statesOf('--state', 'claimed', '--query', order.order_id), [[claimed, 'claimed']]);
  assert.deepEqual(await statesOf('--state', 'on_hold'), []);
  assert.equal((await bestow('gift', 'list', ...ofSandbox(), '--state', 'lost')).code, 2);
});

test('a text that is an external id finds only those gifts, and says how to look inside texts', async () => {
  const named = { ...linkGift(), external_id: 'Maria' };
  await organization.sandbox.order([named, gift({ personalization: { recipient_name: 'Maria Lopez' } })]);
  const list = async (...more: string[]) => {
    const { stdout, stderr } = await bestow('gift', 'list', ...ofSandbox(), '--query', 'Maria', ...more);
    return [stdout.trim().split('\n').length - 1, stderr];
  };
  assert.deepEqual(await list(), [
    1,
    'These gifts have this external id. With --texts the command looks inside texts too.\n',
  ]);
  assert.deepEqual(await list('--texts'), [2, '']);
});

test('an order is found by its idempotency key and shown with its gifts', async () => {
  const { stdout } = await bestow('order', 'list', ...ofSandbox(), '--query', 'shop-7', '--json');
  assert.deepEqual(
    JSON.parse(stdout).map((found: { order_id: string }) => found.order_id),
    [order.order_id],
  );
  const shown = JSON.parse((await bestow('order', 'show', order.order_id, '--json')).stdout);
  assert.deepEqual([shown.organization_id, shown.gifts.length], [organization.organizationId, 2]);
  assert.match((await bestow('order', 'show', order.order_id)).stdout, /by +test \(key_\w+\)/);
});

test('an organization is shown with its members, keys, money, issuers, last orders and what failed', async () => {
  const { organizationId } = organization;
  await organization.sandbox.order([emailGift('bounced')]);
  await bestow('cap', 'set', ...ofSandbox(), '--day', '900000', '--yes');
  await bestow('issuer', 'add', 'codes', '--org', organizationId);
  const { stdout } = await bestow('org', 'show', '--json', organizationId);
  const { members, keys, issuers, environments, ...shown } = JSON.parse(stdout);
  assert.deepEqual(
    [shown.name, shown.suspended_at, members.length, keys.length, issuers[0].kind],
    ['Test Organization', null, 1, 2, 'codes'],
  );
  const [live, sandbox] = environments;
  assert.deepEqual(
    [live.environment, live.last_order, live.failed_messages, live.owed],
    ['live', null, { count: 0, has_more: false }, 0],
  );
  const { last_order, failed_messages, caps, balance } = sandbox;
  assert.deepEqual(
    [last_order.amount, failed_messages, caps[0].day.cap],
    [2500, { count: 1, has_more: false }, 900_000],
  );
  const text = (await bestow('org', 'show', organizationId)).stdout;
  assert.match(text, new RegExp(`^organization +${organizationId}\nname +Test Organization\n`));
  assert.match(
    text,
    new RegExp(`^sandbox +[\\d,.]+ USD \\(${balance} cents\\) +0.00 USD .* 1 +all: 9,000.00 USD a day$`, 'm'),
  );
});

test('a message is shown with its link, and the audit log says so', async () => {
  const seen = () =>
    service.sql(
      `select actor_kind, target from audit_events where organization_id = $1 and action = 'gift.link_shown'`,
      [organization.organizationUuid],
    );
  const listed = JSON.parse((await bestow('outbox', 'list', '--json')).stdout);
  const [{ reference, gift_id }] = listed.filter((message: { gift_id: string | null }) => message.gift_id !== null);
  assert.deepEqual(await seen(), []);
  const shown = await bestow('outbox', 'show', reference);
  assert.match(shown.stdout, /^link +http/m);
  assert.deepEqual(await seen(), [{ actor_kind: 'operator', target: gift_id }]);
});

test('requests are listed by their status', async () => {
  await untilLogged(service, organization, 'sandbox', 2);
  const { stdout } = await bestow('request', 'list', ...ofSandbox(), '--status', '4xx', '--json');
  const [request, ...more] = JSON.parse(stdout);
  assert.deepEqual([request.status, request.error_code, more], [404, 'resource_missing', []]);
  const shown = await bestow('request', request.request_id);
  assert.match(shown.stdout, /^request +req_/);
});

test('a table that is wider than the terminal becomes one block a row', (t) => {
  const { isTTY, columns } = process.stdout;
  t.after(() => Object.assign(process.stdout, { isTTY, columns }));
  let printed = '';
  t.mock.method(process.stdout, 'write', (text: unknown) => {
    if (typeof text === 'string') printed += text;
    return true;
  });
  const rows = [
    { state: 'sent', name: 'A long name' },
    { state: 'opened', name: 'B' },
  ];
  for (const width of [19, 18]) {
    Object.assign(process.stdout, { isTTY: true, columns: width });
    printMany({}, rows, (row) => row);
  }
  const blocks = 'state  sent\nname   A long name\n\nstate  opened\nname   B\n';
  assert.equal(printed, `state   name\nsent    A long name\nopened  B\n${blocks}`);
});
