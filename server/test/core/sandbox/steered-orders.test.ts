import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, emailGift, gift, linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// See docs/decisions.md#sandbox-steering. Redirects are in steering-redirect.test.ts.

const service = openForFile(() => startTestService());

const email = (address: string) => gift({ delivery: { method: 'email', email: address } });
const phone = (number: string) => gift({ delivery: { method: 'phone', phone: number } });

/** The columns behind a gift's status. */
interface Row {
  delivery_state: string | null;
  opened: boolean;
  claimed: boolean;
  spent_cents: number;
}
const rowsOf = ({ organizationUuid }: TestOrganization) =>
  service.sql<Row>(
    `select delivery_state, opened_at is not null as opened, claimed_at is not null as claimed, spent_cents
     from gifts where organization_id = $1 order by gift_id`,
    [organizationUuid],
  );

const pending = { status: 'sent', row: { delivery_state: 'pending', opened: false, claimed: false, spent_cents: 0 } };
const delivered = { status: 'sent', row: { ...pending.row, delivery_state: 'delivered' } };
const failed = { status: 'failed', row: { ...pending.row, delivery_state: 'failed' } };
const opened = { status: 'opened', row: { ...delivered.row, opened: true } };
const claimed = { status: 'claimed', row: { ...opened.row, claimed: true } };
const spent = { status: 'claimed', row: { ...claimed.row, spent_cents: 2500 } };

const table = [
  { localPart: 'delivered', number: '+12025550100', ...delivered },
  { localPart: 'delivery-failed', number: '+12025550101', ...failed },
  { localPart: 'bounced', number: '+12025550101', ...failed },
  { localPart: 'opened', number: '+12025550102', ...opened },
  { localPart: 'claimed', number: '+12025550103', ...claimed },
  { localPart: 'spent', number: '+12025550104', ...spent },
];

for (const { localPart, number, status, row } of table)
  test(`${localPart} and ${number} steer the gift in the same response`, async () => {
    const organization = await service.organization();
    const { sandbox } = organization;
    const addresses = [
      `${localPart}@sandbox.gift.test`,
      `${localPart}+run-7@sandbox.gift.test`,
      `${localPart}+a+b@sandbox.gift.test`,
      `${localPart.toUpperCase()}@Sandbox.GIFT.Test`,
    ];
    const numbers = [number, `+1 (202) 555-${number.slice(-4)}`];
    const { status: code, body } = await sandbox.order([...addresses.map(email), ...numbers.map(phone)]);
    assert.equal(code, 201);
    assert.equal(body.status, 'processed');
    assert.deepEqual(
      body.gifts.map(({ delivery }: { delivery: unknown }) => delivery),
      [
        ...addresses.map((address) => ({ method: 'email', status, email: address })),
        ...numbers.map(() => ({ method: 'phone', status, phone: number })),
      ],
    );
    assert.deepEqual(
      await rowsOf(organization),
      [...addresses, ...numbers].map(() => row),
    );
    assert.deepEqual((await sandbox.get(`/v1/orders/${body.order_id}`)).body, body);
  });

test('each gift is steered by its own address, and a link is not steered', async () => {
  const organization = await service.organization();
  const { body } = await organization.sandbox.order([
    emailGift('spent'),
    linkGift(),
    phone('+12025550101'),
    emailGift('someone'),
    emailGift('opened'),
  ]);
  const statuses = body.gifts.map(({ delivery }: { delivery: { status: string } }) => delivery.status);
  assert.deepEqual(statuses, ['claimed', 'sent', 'failed', 'sent', 'opened']);
  const link = { ...pending.row, delivery_state: null };
  assert.deepEqual(await rowsOf(organization), [spent.row, link, failed.row, pending.row, opened.row]);
});

const balanceOf = async ({ organizationUuid }: TestOrganization) =>
  service.sql(
    `select environment, balance_cents, (select count(*)::integer from ledger_entries where organization_id = $1) as entries
     from balances where organization_id = $1 order by environment`,
    [organizationUuid],
  );

test('a steered failure creates, charges and binds nothing', async () => {
  const organization = await service.organization();
  const { sandbox } = organization;
  const before = await balanceOf(organization);
  const failures = [
    [emailGift('insufficient-balance'), 'insufficient_balance'],
    [email('Insufficient-Balance+1@SANDBOX.gift.test'), 'insufficient_balance'],
    [phone('+1 202-555-0106'), 'insufficient_balance'],
    [emailGift('internal-error'), 'internal_error'],
    [phone('+12025550107'), 'internal_error'],
  ] as const;
  for (const [steered, code] of failures) {
    assertError(await sandbox.order([steered], 'the key'), code);
    // It wins over other effects at any position.
    assertError(await sandbox.order([emailGift('claimed'), emailGift('processing'), linkGift(), steered]), code);
  }
  for (const path of ['/v1/orders', '/v1/gifts'])
    assert.deepEqual((await sandbox.get(path)).body, { object: 'list', data: [], has_more: false });
  assert.deepEqual(await balanceOf(organization), before);
  const placed = await sandbox.order([emailGift('delivered')], 'the key');
  assert.deepEqual([placed.status, placed.headers.get('idempotent-replayed')], [201, null]);
});

test('live orders are never steered', async () => {
  const organization = await service.organization();
  const numbers = ['00', '01', '02', '03', '07', '08', '09', '10'].map((end) => `+120255501${end}`);
  const { status, body } = await organization.live.order([
    ...numbers.map(phone),
    email('claimed@example.com'),
    email('internal-error@sandbox.gift.test.example.com'),
  ]);
  assert.deepEqual([status, body.status], [201, 'processed']);
  for (const { delivery } of body.gifts) assert.equal(delivery.status, 'sent');
  for (const row of await rowsOf(organization)) assert.deepEqual(row, pending.row);
});

test('a live order to the sandbox mail domain is refused and not charged', async () => {
  const organization = await service.organization();
  const { live } = organization;
  const before = await balanceOf(organization);
  for (const address of [
    'delivered@sandbox.gift.test',
    'someone@sandbox.gift.test',
    'internal-error+x@SANDBOX.Gift.Test',
    '+processing@sandbox.gift.test',
  ]) {
    assertError(await live.order([email(address)]), 'parameter_invalid', 'gifts[0].delivery.email');
    const second = await live.order([linkGift(), email(address)]);
    assertError(second, 'parameter_invalid', 'gifts[1].delivery.email');
  }
  assert.deepEqual((await live.get('/v1/orders')).body.data, []);
  assert.deepEqual(await balanceOf(organization), before);
  const lookAlikes = ['x@sandbox.gift.test.example.com', 'x@asandbox.gift.test', 'x@gift.test'];
  assert.equal((await live.order(lookAlikes.map(email))).status, 201);
});

test('SANDBOX_MAIL_DOMAIN sets the domain of steering addresses and the document', async () => {
  const other = await service.second({ SANDBOX_MAIL_DOMAIN: 'Post.Example.com' });
  const organization = await service.organization();
  const sandbox = other.api(organization.keys.sandbox);
  const { body } = await sandbox.order([
    email('claimed@post.example.com'),
    email('OPENED+7@POST.example.com'),
    email('claimed@sandbox.gift.test'),
    phone('+12025550101'),
  ]);
  const statuses = body.gifts.map(({ delivery }: { delivery: { status: string } }) => delivery.status);
  assert.deepEqual(statuses, ['claimed', 'opened', 'sent', 'failed']);
  const live = other.api(organization.keys.live);
  assertError(await live.order([email('a@post.example.com')]), 'parameter_invalid', 'gifts[0].delivery.email');
  assert.equal((await live.order([email('a@sandbox.gift.test')])).status, 201);
  const { tags } = (await other.api().get('/v1/openapi.json')).body;
  const { description } = tags.find(({ name }: { name: string }) => name === 'Sandbox');
  assert.ok(description.includes('delivery-failed@post.example.com'));
  assert.ok(!description.includes('sandbox.gift.test'));
});
