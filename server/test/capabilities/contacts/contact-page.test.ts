import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Client } from 'pg';
import { decodeId } from '../../../src/platform/base/ids.ts';
import { emailGift } from '../../harness/api-client.ts';
import { describePlan, explainPlan, rowsRead } from '../../harness/explain-plan.ts';
import { memberWithRole } from '../../harness/member-with-role.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { startTestService } from '../../harness/test-service.ts';
import { createYearly, DAY_MS } from '../../harness/yearly.ts';

/** What the portal shows of one contact: gifts, and yearly gifts (docs/contacts.md#in-the-portal). */

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }));
const organization = openForFile(() => service.organization());
const admin = openForFile(() => createPortalClient(service, 'admin@example.com'));

const ADDRESS = 'Delivered+ada@sandbox.gift.test';
let contactId: string;
const at = (rest: string) => `/organizations/${organization.organizationId}/sandbox${rest}`;

before(async () => {
  const delivery = { method: 'email', email: ADDRESS };
  const day = new Date(service.clock.now() + 40 * DAY_MS).toISOString().slice(5, 10);
  const contact = { delivery, name: 'Ada', tags: ['team'], birthday: day, work_anniversary: '2020-01-02' };
  const { status, body } = await organization.sandbox.put('/v1/contacts', contact);
  assert.equal(status, 201);
  contactId = body.contact_id;
});

test('a contact has the gifts to exactly its address, newest first and by pages', async () => {
  const sent: string[] = [];
  for (const name of ['delivered+ada', 'delivered+adam', 'DELIVERED+ADA', 'delivered+ad'])
    sent.push((await organization.sandbox.order([emailGift(name)])).body.gifts[0].gift_id);
  const list = async (query = '') => (await admin.call('GET', at(`/contacts/${contactId}/gifts${query}`))).body;
  const all = await list();
  assert.deepEqual(
    all.data.map(({ gift_id }: { gift_id: string }) => gift_id),
    [sent[2], sent[0]],
  );
  const first = await list('?limit=1');
  const second = await list(`?limit=1&after=${first.older}`);
  assert.deepEqual([first.data[0].gift_id, second.data[0].gift_id, second.older], [sent[2], sent[0], null]);
});

test('a sender sees only their own gifts to a contact', async () => {
  const sender = await memberWithRole(service, organization, 'sender');
  const list = () => sender.call('GET', at(`/contacts/${contactId}/gifts`));
  assert.deepEqual((await list()).body.data, []);
  const delivery = { method: 'email', email: ADDRESS };
  const gifts = [{ amount: 2500, category: 'coffee', delivery }];
  const sent = await sender.call('POST', at('/orders'), { form_id: crypto.randomUUID(), gifts });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.equal((await list()).body.data.length, 1);
  const viewer = await memberWithRole(service, organization, 'viewer');
  assert.equal((await viewer.call('GET', at(`/contacts/${contactId}/gifts`))).status, 403);
});

test('a contact has the next gift of each rule that means it', async () => {
  const yearly = createYearly(service, organization, 'sandbox');
  const coming = async () => (await admin.call('GET', at(`/contacts/${contactId}/yearly-gifts`))).body.data;
  assert.deepEqual(await coming(), []);
  const ruleId = await yearly.addRule({ tag: 'team', name: 'Birthdays' });
  await yearly.addRule({ tag: 'other', name: 'Others' });
  await yearly.addRule({ name: 'Anniversaries', occasion: 'work_anniversary' });
  const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const [one, two, ...more] = (await coming()).sort((a: { rule: string }, b: { rule: string }) =>
    a.rule < b.rule ? 1 : -1,
  );
  assert.deepEqual([one.rule, one.date, one.state], ['Birthdays', isoDay(service.clock.now() + 40 * DAY_MS), 'coming']);
  assert.deepEqual(
    [two.rule, two.years, two.date.slice(5)],
    ['Anniversaries', Number(two.date.slice(0, 4)) - 2020, '01-02'],
  );
  assert.deepEqual(more, []);

  // As the calendar has it: skipped, and with the same fields.
  const skip = { rule_id: ruleId, contact_id: contactId, year: one.year, is_skipped: true };
  assert.equal((await admin.call('PUT', at('/yearly-gifts/skips'), skip)).status, 204);
  const skipped = (await coming()).find(({ rule }: { rule: string }) => rule === 'Birthdays');
  assert.equal(skipped.state, 'skipped');
  const { body } = await admin.call('GET', at(`/yearly-gifts?month=${one.date.slice(0, 7)}`));
  assert.deepEqual(
    body.data.find(({ rule }: { rule: string }) => rule === 'Birthdays'),
    skipped,
  );
  await yearly.changeRule(ruleId, { tag: 'other', name: 'Birthdays' });
  const left = (await coming()).map(({ rule }: { rule: string }) => rule);
  assert.ok(left.includes('Anniversaries'), left.join());
});

test('the gifts of a contact, and those not sent, read a bounded number of rows of 5,000 yearly gifts', async () => {
  const { organizationUuid } = organization;
  const [rule] = await service.sql<{ rule_id: string }>(
    `select rule_id from yearly_rules where organization_id = $1 and environment = 'sandbox' limit 1`,
    [organizationUuid],
  );
  await service.sql(
    `insert into contacts (organization_id, environment, contact_id, method, address, tags, created_at, changed_at)
     select $1, 'sandbox', gen_random_uuid(), 'email', 'person' || n || '@example.com', '{}', now(), now()
     from generate_series(1, 5000) n`,
    [organizationUuid],
  );
  await service.sql('analyze contacts');
  await service.sql(
    `insert into yearly_gifts (organization_id, environment, rule_id, contact_id, year, date, due_at, state, changed_at)
     select $1, 'sandbox', $2, contact_id, 2030, '2030-05-05', '2030-05-05', 'coming', now() from contacts
     where organization_id = $1 and environment = 'sandbox'`,
    [organizationUuid, rule?.rule_id],
  );
  await service.sql('analyze yearly_gifts');
  const sql = new Client(service.target);
  await sql.connect();
  try {
    const owner = [organizationUuid, 'sandbox'];
    const id = decodeId('con', contactId);
    for (const [name, parameters] of [
      ['yearly_gifts.list_of_contact', [...owner, id, '2026-01-01', '[]', '2026-01-01']],
      ['yearly_gifts.unsent_of_contacts', [...owner, [id], ['person1@example.com']]],
      ['yearly_gifts.due_of_contacts', [...owner, [id], '2026-01-01']],
    ] as const)
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        const nodes = await explainPlan(sql, organizationUuid, { name, parameters: [...parameters], mode });
        assert.ok(rowsRead(nodes) <= 100, `${name}, ${mode}: ${describePlan(nodes)}`);
      }
  } finally {
    await sql.end();
  }
});
