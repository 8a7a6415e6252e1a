import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sendYearlyGifts } from '../../server/src/capabilities/yearly-gifts/send-yearly-gifts.ts';
import { requestsPath } from '../../server/test/harness/gift-requests.ts';
import { createPortalClient, type PortalClient } from '../../server/test/harness/portal-client.ts';
import { ADMIN, assertFaultless, look, type PortalService, startPortal, takePictures } from './harness/portal.ts';

/** The windows that ask what happens to gifts that are approved, or asked for, and not sent. */

const DAY_MS = 86_400_000;
const directory = process.env['PICTURES'];
let portal: PortalService;
let admin: PortalClient;
const at = (rest: string) => `/organizations/${portal.organization.organizationId}/sandbox${rest}`;

before(async () => {
  portal = await startPortal();
  await portal.service.clock.setTime(Date.now());
  admin = await createPortalClient(portal.service, ADMIN);
  const texts = { sender_name: null, message: 'Happy birthday!', language: null };
  const template = { name: 'Birthday card', amount: 2500, category: 'coffee', ...texts };
  const { template_id } = (await admin.call('POST', at('/gift-templates'), template)).body;
  for (const [name, days] of [
    ['Ada', 3],
    ['Grace', 4],
    ['Joan', 5],
    ['Mary', 6],
  ] as const)
    await portal.organization.sandbox.put('/v1/contacts', {
      delivery: { method: 'email', email: `${name.toLowerCase()}@example.com` },
      name,
      birthday: new Date(Date.now() + days * DAY_MS).toISOString().slice(5, 10),
    });
  const rule = { name: 'Birthdays', tag: null, occasion: 'birthday', template_id, time_zone: 'UTC', hour: 9 };
  const how = { mode: 'approval', yearly_limit: null, is_paused: false };
  assert.equal((await admin.call('POST', at('/yearly-rules'), { ...rule, ...how })).status, 200);
  await sendYearlyGifts(portal.service.service.deps);
  const requests = (await admin.call('GET', requestsPath(portal.organization))).body.data;
  for (const { gift_request_id, gifts } of requests)
    if (gifts[0].address !== 'mary@example.com')
      await admin.call('POST', requestsPath(portal.organization, `/${gift_request_id}/approve`), {});
});
after(() => portal?.close());

const balance = async () => (await portal.organization.sandbox.get('/v1/balance')).body.available;

test('deleting a contact shows its approved gift, and cancels it', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints, foreign } = visit;
  const held = await balance();
  await page.goto(portal.at('/contacts'));
  await page.getByRole('button', { name: 'Delete ada@example.com' }).click();
  const window = page.getByRole('dialog', { name: 'Delete Ada?' });
  await window.getByText('1 gift is ordered and not sent.').waitFor();
  await window.getByText(/\$25\.00 to ada@example\.com, goes out .*, Birthdays/).waitFor();
  assert.ok(await window.getByLabel('Cancel it. The amount returns to the balance.').isChecked());
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-delete`);
  await window.getByRole('button', { name: 'Delete contact' }).click();
  await page.getByText('Contact deleted. 1 gift is canceled, and $25.00 is back in the balance.').waitFor();
  assert.equal(await balance(), held + 2500);
  assert.deepEqual([complaints, foreign], [[], []]);
});

test('a new address of a contact takes its approved gift along', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at('/contacts'));
  await page.getByRole('button', { name: 'Edit grace@example.com' }).click();
  const window = page.getByRole('dialog', { name: 'Edit the contact' });
  assert.equal(await window.getByText('1 gift is ordered and not sent.').count(), 0);
  await window.getByLabel('Email address or phone number').fill('hopper@example.com');
  assert.ok(await window.getByLabel('Send it to the new address.').isChecked());
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/contact-move`);
  await window.getByRole('button', { name: 'Save contact' }).click();
  await page.getByText('Contact saved.').waitFor();
  const { data } = (await portal.organization.sandbox.get('/v1/gifts?recipient=hopper@example.com')).body;
  assert.equal(data.length, 1);
  assert.deepEqual(complaints, []);
});

test('skipping a gift that is ordered asks first, and pausing a rule names what is not sent', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await page.goto(portal.at(`/calendar?month=${new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 7)}`));
  const joan = page.getByRole('row', { name: /Joan/ });
  await joan.getByText('Ordered').waitFor();
  await joan.getByRole('button', { name: 'Skip Joan' }).click();
  const skipping = page.getByRole('dialog', { name: 'Skip the gift to Joan this year?' });
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/gift-skip`);
  await skipping.getByRole('button', { name: 'Skip gift' }).click();
  await joan.getByText('Skipped').waitFor();
  await page.getByRole('button', { name: 'Pause Birthdays' }).click();
  const pausing = page.getByRole('dialog', { name: 'Pause “Birthdays”?' });
  await pausing.getByText('1 gift is ordered and not sent, and 1 gift waits for approval.').waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/rule-pause`);
  await pausing.getByLabel(/^Keep them\. What is ordered goes out/).check();
  await pausing.getByRole('button', { name: 'Pause rule' }).click();
  await page.getByText('Rule paused.').waitFor();
  const requests = (await admin.call('GET', requestsPath(portal.organization, '?state=open'))).body.data;
  await page.goto(portal.at(`/gifts/requests/${requests[0].gift_request_id}`));
  await page.getByText('The rule of this gift is paused.').waitFor();
  if (directory !== undefined) await takePictures(page, `${directory}/request-doubt`);
  assert.deepEqual(complaints, []);
});

test('an import names the gifts that it would move or end, before it is pressed', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page, complaints } = visit;
  await portal.organization.sandbox.put('/v1/contacts', {
    delivery: { method: 'email', email: 'mary@example.com' },
    external_id: 'E-4',
  });
  await page.goto(portal.at('/contacts/import'));
  await page.getByLabel('Drop a CSV or XLSX file here').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('email,reference\nmary.b@example.com,E-4\n'),
  });
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByText('To contacts that change: 1 gift waits for approval.').waitFor();
  assert.ok(await page.getByLabel(/^Send them to the new addresses/).isChecked());
  await page.getByLabel('This file is the whole list of').selectOption({ label: 'All contacts' });
  await page.getByLabel(/contacts? below/).selectOption({ label: 'Delete them' });
  await page.getByText(/To contacts that are not in the file: .* ordered and not sent/).waitFor();
  await look(page, 'contacts-import-unsent');
  await page.getByRole('button', { name: /^Import 1 contact and delete/ }).click();
  await page.getByText(/back in the balance\. .*withdrawn/).waitFor();
  assert.deepEqual(complaints, []);
});
