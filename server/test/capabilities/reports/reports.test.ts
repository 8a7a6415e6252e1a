import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { eraseRecipient } from '../../../src/capabilities/erasure/erase-recipient.ts';
import { reportAging } from '../../../src/capabilities/reports/report-aging.ts';
import { readTrialBalance } from '../../../src/core/balances/trial-balance.ts';
import { gift, linkGift } from '../../harness/api-client.ts';
import { runBestow } from '../../harness/command-line.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createRecipient } from '../../harness/recipient.ts';
import { giftLink, startTestService, type TestOrganization } from '../../harness/test-service.ts';

const DAY_MS = 86_400_000;
const service = openForFile(() => startTestService());
let organization: TestOrganization;

const giftTo = (email: string, amount: number) => gift({ amount, delivery: { method: 'email', email } });

async function claimed(given: object): Promise<void> {
  assert.equal((await organization.live.order([given])).status, 201);
  const link = await giftLink(service, organization, 'live');
  const recipient = createRecipient(service);
  await recipient.press(link, 'open');
  assert.equal((await recipient.press(link, 'claim')).status, 303);
}

const pass = (days: number) => service.clock.jump(days * DAY_MS);

// Begins on 2026-11-21: in the next year Ada claims 30 and 20, Bob 40, a link gift 15 and a person who is erased 25.
before(async () => {
  organization = await service.organization();
  await organization.live.order([linkGift(1_000)]);
  await pass(60);
  await claimed(giftTo('Ada@example.com', 3_000));
  await claimed(giftTo('ada@EXAMPLE.com', 2_000));
  await claimed(giftTo('bob@example.com', 4_000));
  await claimed(linkGift(1_500));
  await claimed(giftTo('carl@example.com', 2_500));
  const { deps } = service.service;
  await eraseRecipient(deps, { recipient: { method: 'email', email: 'carl@example.com' }, actor: OPERATOR });
  await pass(340);
  await claimed(giftTo('ada@example.com', 5_000));
  await pass(30);
  await organization.live.order([linkGift(1_000)]);
  const { body } = await organization.live.order([linkGift(1_000)]);
  await organization.live.post(`/v1/gifts/${body.gifts[0].gift_id}/cancel`);
});

const report = (...args: string[]) => runBestow(service.target, ['report', ...args]);

test('aging sums unclaimed and unspent money by age, as the trial balance has it', async () => {
  const { deps } = service.service;
  const rows = await reportAging(deps, organization.organizationId);
  assert.deepEqual(
    rows.map(({ kind, age, gifts, amount }) => [kind, age, gifts, amount]),
    [
      ['unclaimed', '0–30 days', 1, 1_000],
      ['unclaimed', '1–2 years', 1, 1_000],
      ['unspent', '0–30 days', 1, 5_000],
      ['unspent', '1–2 years', 5, 13_000],
    ],
  );
  const at = new Date(service.clock.now() + 1_000);
  const { environments } = await readTrialBalance(deps, { at, organizationId: organization.organizationId });
  const { gifts_outstanding, gifts_on_cards } = environments[0]?.accounts ?? {};
  assert.deepEqual([gifts_outstanding, gifts_on_cards], [2_000, 18_000]);
  assert.deepEqual(
    (await reportAging(deps)).filter(({ organization_id }) => organization_id === organization.organizationId),
    rows,
  );
});

test('an age begins after its last whole day', async () => {
  const other = await service.organization();
  await other.live.order([linkGift(1_000)]);
  const ageAfter = async (ms: number) => {
    await service.clock.jump(ms);
    return (await reportAging(service.service.deps, other.organizationId))[0]?.age;
  };
  assert.equal(await ageAfter(31 * DAY_MS - 60_000), '0–30 days');
  assert.equal(await ageAfter(120_000), '31–90 days');
});

// The command has the machine's clock, so its gifts have no age yet.
test('aging is a table, JSON and CSV with decimals', async () => {
  const only = ['aging', '--org', organization.organizationId];
  const { stdout: table } = await report(...only);
  assert.match(table, /^organization +name +kind +0–30 days .*over 5 years +sum\n/);
  const { stdout: json } = await report(...only, '--json');
  const [first] = JSON.parse(json);
  assert.deepEqual([first.kind, first.amount], ['unclaimed', 2_000]);
  const { stdout: csv } = await report(...only, '--csv');
  assert.match(csv, /^\ufefforganization_id,name,kind,age,from_days,to_days,gifts,amount \(USD\)\r\n/);
  assert.match(csv, /,unclaimed,.*,2,20\.00\r\n/);
});

const totals = async (...options: string[]) => {
  const { stdout } = await report('recipients', '--org', organization.organizationId, '--json', ...options);
  return JSON.parse(stdout);
};

test('a year’s totals join the spellings of an address and leave small ones out', async () => {
  assert.deepEqual(await totals('--year', '2027'), {
    year: 2027,
    from_amount: 0,
    recipients: [
      { recipient: 'ada@example.com', recipient_name: null, gifts: 3, amount: 10_000 },
      { recipient: 'bob@example.com', recipient_name: null, gifts: 1, amount: 4_000 },
    ],
    without_address: { gifts: 2, amount: 4_000 },
  });
  const { recipients, without_address } = await totals('--year', '2027', '--from-amount', '4001');
  assert.deepEqual([recipients.length, without_address.gifts], [1, 2]);
  assert.deepEqual((await totals('--year', '2026')).recipients, []);
});

test('a file of totals is private, and each report of recipients is in the audit log', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bestow-report-'));
  try {
    const file = join(directory, 'recipients.csv');
    const args = ['recipients', '--org', organization.organizationId, '--year', '2027', '--file', file];
    const count = "select count(*)::integer as n from audit_events where action = 'gifts.exported'";
    const [earlier] = await service.sql<{ n: number }>(count);
    const variables = { RECIPIENT_REPORT_FROM_CENTS: '4000' };
    const { code, stderr } = await runBestow(service.target, ['report', ...args], { variables });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /2 more gifts, together 40\.00 USD/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.match(await readFile(file, 'utf8'), /ada@example\.com,,3,100\.00\r\nbob@example\.com,,1,40\.00\r\n$/);
    const [later] = await service.sql<{ n: number }>(count);
    assert.equal(later?.n, (earlier?.n ?? 0) + 1);
  } finally {
    await rm(directory, { recursive: true });
  }
});
