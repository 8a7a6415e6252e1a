import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { encodeBytes } from '../../../../portal/test/files/encode.ts';
import { workbookOf } from '../../../../portal/test/harness/xlsx.ts';
import { openCommandLine } from '../../harness/command-line.ts';

const { assertRefused, json } = openCommandLine();

const HEADINGS = ['value', 'code', 'shop'];
let directory: string;
let upload: string[];
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bestow-tables-'));
  const { organization_id: id } = await json('org', 'create', '--name', 'Acme', '--admin-email', 'ann@acme.test');
  upload = ['issuer', 'upload', join(directory, 'codes'), '--org', id, '--category', 'tea'];
  await json('issuer', 'add', 'codes', '--org', id);
  await json('catalog', 'add', 'tea', '--name', 'Tea', '--description', 'For people who take their time.');
});
after(() => rm(directory, { recursive: true }));

const write = (bytes: Uint8Array | string) => writeFile(join(directory, 'codes'), bytes);

test('a file of codes that is not Unicode is read in the encoding that the operator names', async () => {
  await write(encodeBytes('value;code;shop\n25.00;I-1;Café Müller\n', 'windows-1252'));
  await assertRefused(/is not Unicode.* windows-1252 for “Café Müller”, macintosh for /, upload);
  await assertRefused(/There is no encoding klingon/, [...upload, '--encoding', 'klingon']);
  assert.deepEqual(await json(...upload, '--encoding', 'windows-1252'), { added: 1, known: 0 });
});

test('codes are read from a workbook with one sheet and nothing hidden', async () => {
  const rows = [HEADINGS, [25, 'X-1', 'Bean'], [], [{ value: 25, format: '$0.00' }, 'X-2', 'Bean']];
  await write(workbookOf([{ name: 'Codes', rows, hiddenRows: [4] }]));
  await assertRefused(/Row 4 is hidden in the sheet/, upload);
  await write(
    workbookOf([
      { name: 'Codes', rows },
      { name: 'More', rows },
    ]),
  );
  await assertRefused(/several sheets/, upload);
  await write(workbookOf([{ name: 'Codes', rows: [...rows, [-25, 'X-3', 'Bean']] }]));
  await assertRefused(/Line 5: value must be an amount/, upload);
  await write(
    workbookOf([
      { name: 'Codes', rows },
      { name: 'Old', rows, isHidden: true },
    ]),
  );
  assert.deepEqual(await json(...upload), { added: 2, known: 0 });
});

test('an open quotation in a file of codes adds nothing', async () => {
  const lines = [
    'value,code,shop,terms_url',
    '25.00,A,Bean,"https://bean.example',
    '25.00,B,Bean,https://bean.example',
  ];
  await write(lines.join('\n'));
  await assertRefused(/Line 2 opens a quotation that is not closed/, upload);
});
