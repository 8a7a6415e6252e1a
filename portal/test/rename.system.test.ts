import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
});
after(() => portal?.close());

test('an admin renames the organization, and a member sees it', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  await page.goto(portal.at('/settings'));
  await page.getByLabel('Name', { exact: true }).fill('Acme Gifts');
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/settings-name`);
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name saved.').waitFor();
  await page.getByText('Acme Gifts').first().waitFor();
  assert.deepEqual(complaints, []);

  await using other = await portal.visit(MEMBER);
  await other.page.goto(portal.at('/settings'));
  await other.page.getByText('Acme Gifts').first().waitFor();
  assert.equal(await other.page.getByRole('button', { name: 'Save name' }).count(), 0);
});
