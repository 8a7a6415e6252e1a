import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { sendYearlyGifts } from '../../server/src/capabilities/yearly-gifts/send-yearly-gifts.ts';
import { createPortalClient } from '../../server/test/harness/portal-client.ts';
import { ADMIN, assertFaultless, look, type PortalService, startPortal, takePictures } from './harness/portal.ts';
import { addMembers } from './harness/role-visit.ts';

const DAY_MS = 86_400_000;
const SENDER = 'sara@example.com';
let portal: PortalService;
before(async () => {
  portal = await startPortal();
  // The browser has the real time.
  await portal.service.clock.setTime(Date.now());
});
after(() => portal?.close());

/** A day so many days from now: `MM-DD`, and the month of its next occurrence. */
function dayIn(days: number): { day: string; month: string } {
  const iso = new Date(Date.now() + days * DAY_MS).toISOString();
  return { day: iso.slice(5, 10), month: iso.slice(0, 7) };
}

const people = [
  ['Ada Lovelace', 'ada', 3, 'team'],
  ['Grace Hopper', 'grace', 5, 'team'],
  ['Katherine Johnson', 'katherine', 40, 'team'],
  ['Alan Turing', 'alan', 3, 'other'],
] as const;

async function addPeople(): Promise<void> {
  for (const [name, address, days, tag] of people)
    await portal.organization.sandbox.put('/v1/contacts', {
      delivery: { method: 'email', email: `${address}@example.com` },
      name,
      tags: [tag],
      birthday: dayIn(days).day,
    });
  const admin = await createPortalClient(portal.service, ADMIN);
  const path = `/organizations/${portal.organization.organizationId}/sandbox/gift-templates`;
  const texts = { sender_name: null, message: 'Happy birthday!', language: null };
  const added = await admin.call('POST', path, { name: 'Birthday card', amount: 2500, category: 'coffee', ...texts });
  assert.equal(added.status, 200);
}

test('an admin adds a rule, looks at the months, skips a gift, pauses and deletes the rule', async () => {
  const directory = process.env['PICTURES'];
  await addPeople();
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  await page.goto(portal.at('/calendar'));
  await page.getByText('No rules yet').waitFor();
  await assertFaultless(page);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a rule' });
  await adding.getByLabel('Name of the rule').fill('Birthdays of the team');
  await adding.getByLabel('Contacts').selectOption('With the tag team');
  await adding.getByLabel('Template of the gift').selectOption('Birthday card, $25.00');
  await adding.getByLabel('How gifts are sent').selectOption('By itself, within a limit');
  assert.equal(await adding.getByRole('button', { name: 'Save rule' }).isEnabled(), false);
  await adding.getByLabel('Most in a calendar year').fill('5000');
  const zone = adding.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('kie');
  await adding.getByText('Type a city, such as Berlin').waitFor();
  assert.equal(await adding.getByRole('button', { name: 'Save rule' }).isEnabled(), false);
  await adding.getByRole('option', { name: 'Europe/Kyiv' }).waitFor();
  await look(page, 'calendar-rule-zone');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await zone.inputValue(), 'Europe/Kyiv');
  await zone.fill('UTC');
  await page.keyboard.press('Escape');
  await adding.waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/calendar-rule`);
  await adding.getByRole('button', { name: 'Save rule' }).click();
  const rule = page.getByRole('row', { name: /Birthdays of the team.*Birthday of team, 09:00 UTC/ });
  await rule.getByText('$0.00 of $5,000.00 this year').waitFor();

  await sendYearlyGifts(portal.service.service.deps);
  await page.goto(portal.at(`/calendar?month=${dayIn(3).month}`));
  const ada = page.getByRole('row', { name: /Ada Lovelace/ });
  await ada.getByText('Comes').waitFor();
  assert.equal(await page.getByText('Alan Turing').count(), 0);
  await ada.getByRole('button', { name: 'Skip Ada Lovelace' }).click();
  await ada.getByText('Skipped').waitFor();
  await ada.getByRole('button', { name: 'Undo the skip of Ada Lovelace' }).click();
  await ada.getByText('Comes').waitFor();
  await ada.getByRole('button', { name: 'Skip Ada Lovelace' }).click();
  await assertFaultless(page);

  await page.getByLabel('Month', { exact: true }).selectOption(dayIn(40).month);
  await page.getByRole('row', { name: /Katherine Johnson/ }).waitFor();
  await page.getByText('$25.00', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Month before' }).click();

  await page.getByRole('button', { name: 'Pause Birthdays of the team' }).click();
  await rule.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume Birthdays of the team' }).click();
  await rule.getByText('Paused', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit Birthdays of the team' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit the rule' });
  assert.equal(await editing.getByLabel('Most in a calendar year').inputValue(), '5000.00');
  await editing.getByLabel('Name of the rule').fill('Team');
  await editing.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('row', { name: /Team.*Birthday of team/ }).waitFor();
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('what was sent leads to its gift; a sender sees it and may skip', async () => {
  const directory = process.env['PICTURES'];
  const { service } = portal;
  // After the hour of the fifth day.
  await service.clock.jump(6 * DAY_MS);
  await sendYearlyGifts(service.service.deps);
  await addMembers(portal, { [SENDER]: 'sender' });
  await using own = await portal.visit(ADMIN);
  await own.page.goto(portal.at(`/calendar?month=${dayIn(5).month}`));
  await own.page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
  if (directory !== undefined) await takePictures(own.page, `${directory}/calendar`);
  await own.page
    .getByRole('row', { name: /Grace Hopper/ })
    .getByRole('link', { name: 'Sent' })
    .click();
  await own.page.getByRole('heading', { level: 1, name: /^.25\.00 for / }).waitFor();
  assert.deepEqual([own.complaints, own.foreign], [[], []]);

  await using visit = await portal.visit(SENDER);
  const { page, complaints } = visit;
  await page.goto(portal.at(`/calendar?month=${dayIn(40).month}`));
  await page.getByRole('button', { name: 'Skip Katherine Johnson' }).click();
  await page
    .getByRole('row', { name: /Katherine Johnson/ })
    .getByText('Skipped')
    .waitFor();
  const undo = page.getByRole('button', { name: 'Undo the skip of Katherine Johnson' });
  await undo.waitFor();
  // What an admin skips, too, a sender does not undo.
  const admin = await createPortalClient(service, ADMIN);
  const path = `/organizations/${portal.organization.organizationId}/sandbox/yearly-gifts`;
  const { data } = (await admin.call('GET', `${path}?month=${dayIn(40).month}`)).body;
  const { rule_id, contact_id, year } = data.find(({ name }: { name: string }) => name === 'Katherine Johnson');
  const skip = { rule_id, contact_id, year, is_skipped: true };
  assert.equal((await admin.call('PUT', `${path}/skips`, skip)).status, 204);
  await page.reload();
  await page
    .getByRole('row', { name: /Katherine Johnson/ })
    .getByText('Skipped')
    .waitFor();
  assert.equal(await undo.count(), 0);
  for (const name of ['Add a rule', 'Edit Team', 'Delete Team'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  await assertFaultless(page);
  assert.deepEqual(complaints, []);
});

test('an admin deletes the rule, and the calendar is empty', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/calendar'));
  await page.getByRole('button', { name: 'Delete Team' }).click();
  await page.getByRole('dialog', { name: 'Delete “Team”?' }).getByRole('button', { name: 'Delete rule' }).click();
  await page.getByText('No rules yet').waitFor();
  await page.getByText('No gifts in this month').waitFor();
  assert.deepEqual(complaints, []);
});

/** Presses a button, a link or a choice of a list, and counts it as a person's click. */
function countClicks() {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    count: () => clicks,
  };
}

test('from an empty organization, the first birthday gift takes at most five clicks', async () => {
  for (const table of ['yearly_rules', 'gift_templates', 'contacts']) await portal.service.sql(`delete from ${table}`);
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at(''));
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const { click, count } = countClicks();
  await click(page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'People' }));
  await click(page.getByRole('button', { name: 'Add a contact' }));
  const contact = page.getByRole('dialog', { name: 'Add a contact' });
  await contact.getByLabel('Email address or phone number').fill('first@example.com');
  await contact.getByLabel('Birthday').fill(dayIn(40).day);
  await click(contact.getByRole('button', { name: 'Save contact' }));
  await click(page.getByRole('link', { name: 'Add a rule' }));
  const adding = page.getByRole('dialog', { name: 'Add a rule' });
  await look(page, 'calendar-rule-whole');
  // Enter in a field would do, too.
  await adding.getByLabel('Message (optional)').fill('Happy birthday!');
  await click(adding.getByRole('button', { name: 'Save rule' }));
  await page.getByRole('row', { name: /Birthdays.*Birthday of all/ }).waitFor();
  assert.ok(count() <= 5, String(count()));
  const [template] = await portal.service.sql('select name, amount_cents, category_id, message from gift_templates');
  assert.deepEqual(template, {
    name: 'Birthdays',
    amount_cents: 2500,
    category_id: 'coffee',
    message: 'Happy birthday!',
  });
  const admin = await createPortalClient(portal.service, ADMIN);
  const path = `/organizations/${portal.organization.organizationId}/sandbox/yearly-gifts?month=`;
  const month = new Date(portal.service.clock.now() + 60 * DAY_MS).toISOString().slice(0, 7);
  const months = [month, dayIn(40).month, dayIn(60).month];
  const totals = await Promise.all(months.map(async (one) => (await admin.call('GET', path + one)).body.total));
  assert.ok(
    totals.some((total) => total > 0),
    totals.join(),
  );
  assert.deepEqual(complaints, []);
});

test('a rule is kept while one looks at the templates, and a refused rule keeps its template', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/calendar'));
  await page.getByRole('row', { name: /Birthdays/ }).waitFor();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a rule' });
  // The name of the rule is taken, the name of the template is not.
  await adding.getByLabel('Name of the template').fill('Birthdays');
  await adding.getByLabel('Amount').fill('40');
  await adding.getByLabel('Category').selectOption('books');
  await adding.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  assert.equal(await adding.getByLabel('Amount').inputValue(), '40');
  await adding.getByRole('button', { name: 'Save rule' }).click();
  await adding.getByText('Another template has this name.').waitFor();
  await adding.getByLabel('Name of the template').fill('Second');
  await adding.getByRole('button', { name: 'Save rule' }).click();
  await adding.getByText('Another rule has this name.').waitFor();
  await adding.getByLabel('Template of the gift').and(page.locator(':not([value=""])')).waitFor();
  assert.equal(await adding.getByLabel('Category').count(), 0);
  await adding.getByLabel('Name of the rule').fill('More birthdays');
  await adding.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('row', { name: /More birthdays/ }).waitFor();
  const templates = await portal.service.sql('select name from gift_templates order by name');
  assert.deepEqual(templates, [{ name: 'Birthdays' }, { name: 'Second' }]);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  assert.equal(await adding.getByLabel('Name of the template').inputValue(), '');
  await adding.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(complaints, []);
});

test('a limit that is lower than what comes is told before the day', async () => {
  for (const table of ['yearly_rules', 'contacts']) await portal.service.sql(`delete from ${table}`);
  const admin = await createPortalClient(portal.service, ADMIN);
  const at = (rest: string) => `/organizations/${portal.organization.organizationId}/sandbox${rest}`;
  for (const name of ['ada', 'grace'])
    await portal.organization.sandbox.put('/v1/contacts', {
      delivery: { method: 'email', email: `${name}@example.com` },
      birthday: dayIn(40).day,
    });
  const [{ template_id }] = (await admin.call('GET', at('/gift-templates'))).body.data;
  const rule = { name: 'Short', tag: null, occasion: 'birthday', template_id, time_zone: 'UTC', hour: 9 };
  const how = { mode: 'sends', yearly_limit: 3000, is_paused: false };
  assert.equal((await admin.call('POST', at('/yearly-rules'), { ...rule, ...how })).status, 200);
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at(`/calendar?month=${dayIn(40).month}`));
  await page.getByText('“Short” may spend $30.00 more in the year, and $').waitFor();
  await look(page, 'calendar-short');
  assert.deepEqual(complaints, []);
});
