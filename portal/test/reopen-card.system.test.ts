import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { assertFaultless, type PortalService, startPortal, takePictures } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('an admin lets another browser show a card, and only that browser shows its number then', async () => {
  const directory = process.env['PICTURES'];
  const { body } = await portal.organization.sandbox.order([linkGift()]);
  const [{ gift_id, delivery }] = body.gifts;
  const url = portal.service.url + new URL(delivery.link).pathname;
  const open = async () => {
    const visit = await portal.visit(null);
    await visit.page.goto(url);
    return visit;
  };
  await using lost = await open();
  await lost.page.getByRole('button', { name: 'Unwrap' }).click();
  await lost.page.getByRole('button', { name: 'Claim' }).click();
  await lost.page.getByText('Without an email address or a PIN').waitFor();
  await assertFaultless(lost.page);
  if (directory !== undefined) await takePictures(lost.page, `${directory}/claim-warned`);
  await lost.page.getByRole('button', { name: 'Claim without either' }).click();
  await lost.page.getByRole('button', { name: 'Show number' }).click();
  await lost.page.getByText('9999 99').waitFor();

  await using other = await open();
  await other.page.getByRole('button', { name: 'Show number' }).click();
  await other.page.getByText('to let another browser open this gift').waitFor();
  if (directory !== undefined) await takePictures(other.page, `${directory}/reopen-before`);

  await using admin = await portal.visit();
  const { page } = admin;
  await page.goto(portal.at(`/gifts/${gift_id}`));
  await page.getByRole('button', { name: 'Let another browser show this card' }).click();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/reopen-dialog`);
  await page.getByRole('dialog').getByRole('button', { name: 'Let another browser show it' }).click();
  await page.getByText('Another browser can show this card within 24 hours.').waitFor();
  await page.getByText('Another browser can take the card of this gift until').waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/reopen-open`);

  await other.page.goto(url);
  await other.page.getByRole('button', { name: 'Show number' }).click();
  await assertFaultless(other.page);
  if (directory !== undefined) await takePictures(other.page, `${directory}/reopen-take`);
  await other.page.getByRole('button', { name: 'Open it in this browser' }).click();
  await other.page.getByText('9999 99').waitFor();

  await lost.page.goto(url);
  await lost.page.getByRole('button', { name: 'Show number' }).click();
  await lost.page.getByText('to let another browser open this gift').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Let another browser show this card' }).waitFor();
  assert.equal(await page.getByText('can take the card of this gift').count(), 0);
  assert.deepEqual(admin.complaints, []);
});
