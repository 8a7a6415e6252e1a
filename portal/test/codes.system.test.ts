import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addIssuer } from '../../server/src/capabilities/issuers/add-issuer.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { assertFaultless, MEMBER, type PortalService, startPortal, takePictures } from './harness/portal.ts';

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  const { organizationUuid: organizationId } = portal.organization;
  const chosen = { organizationId, kind: 'codes', settings: { low_stock: '5' }, actor: OPERATOR };
  await addIssuer(portal.service.service.deps, chosen);
});
after(() => portal?.close());

const file = (text: string) => ({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('an admin adds codes, after a wrong line was named', async () => {
  const directory = process.env['PICTURES'];
  await using visit = await portal.visit();
  const { page, complaints } = visit;
  const dialog = page.getByRole('dialog');
  await page.goto(portal.at('/settings', 'live'));
  await page.getByText('0 codes left').waitFor();
  if (directory !== undefined) await takePictures(page, `${directory}/issuers`);
  await page.getByRole('button', { name: 'Add codes' }).click();
  await dialog.getByLabel('Category').selectOption('coffee');
  await dialog.getByLabel('File').setInputFiles(file('value,code,shop\nmuch,ABCD-1,Corner Shop'));
  await dialog.getByRole('button', { name: 'Add codes' }).click();
  await dialog.getByText('Line 2: value must be an amount such as 25.00.').waitFor();
  await assertFaultless(page);
  if (directory !== undefined) await takePictures(page, `${directory}/add-codes`);
  await dialog.getByLabel('File').setInputFiles(file('value,code,shop\n25.00,ABCD-1,Corner Shop'));
  await dialog.getByRole('button', { name: 'Add codes' }).click();
  await page.getByText('1 code added.').waitFor();
  await page.getByText('1 code left').waitFor();
  assert.equal(complaints.filter((complaint) => !complaint.includes('422')).length, 0, complaints.join('\n'));
});

test('a member sees the stock and cannot add codes', async () => {
  await using visit = await portal.visit(MEMBER);
  await visit.page.goto(portal.at('/settings', 'live'));
  await visit.page.getByText(/codes? left/).waitFor();
  assert.equal(await visit.page.getByRole('button', { name: 'Add codes' }).count(), 0);
});
