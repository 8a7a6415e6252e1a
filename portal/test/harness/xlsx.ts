import { crc32, deflateRawSync } from 'node:zlib';

/** A cell: a text, a number, a number with its format or the number of a built-in one, a text that is struck through, a checkbox, an error, or a formula that was never computed. */
export type SheetCell =
  | string
  | number
  | boolean
  | { value: number; format: string | number }
  | { struck: string }
  | { error: string }
  | { formula: string };

export interface TestSheet {
  name: string;
  rows: readonly (readonly SheetCell[])[];
  isHidden?: boolean;
  /** Numbers of rows that a filter hides. */
  hiddenRows?: readonly number[];
  /** Numbers of columns that a person hides. */
  hiddenColumns?: readonly number[];
  /** Merged cells, such as `A2:A4`. */
  merges?: readonly string[];
  /** XML of rows after the others. */
  lastRows?: string;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A workbook with one sheet. */
export const xlsxOf = (rows: TestSheet['rows']): Buffer => workbookOf([{ name: 'People', rows }]);

/** A workbook, as a spreadsheet program saves it, without compression (ECMA-376). */
export function workbookOf(
  sheets: readonly TestSheet[],
  { kind = 'sheet.main', is1904 = false, isDeflated = false } = {},
): Buffer {
  const formats = [
    ...new Set(
      sheets.flatMap(({ rows }) =>
        rows.flat().flatMap((cell) => (typeof cell === 'object' && 'format' in cell ? cell.format : [])),
      ),
    ),
  ];
  const parts = sheets.map((_, index) => index + 1);
  return zipOf(
    {
      '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.${kind}+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>${parts.map((part) => `<Override PartName="/xl/worksheets/sheet${part}.xml" ContentType="${TYPES}.worksheet+xml"/>`).join('')}</Types>`,
      '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
      'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets>${sheets.map(({ name, isHidden }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations([
        ...parts.map((part) => [`rId${part}`, 'worksheet', `worksheets/sheet${part}.xml`] as const),
        ['rIdStyles', 'styles', 'styles.xml'],
      ]),
      'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.map((format, index) => (typeof format === 'number' ? '' : `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(format)}"/>`)).join('')}</numFmts><fonts count="2"><font/><font><strike/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((format, index) => `<xf numFmtId="${typeof format === 'number' ? format : 164 + index}" applyNumberFormat="1"/>`).join('')}<xf numFmtId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
      ...Object.fromEntries(
        sheets.map((sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet, formats)]),
      ),
    },
    { isDeflated },
  );
}

const relations = (all: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

function sheetXml(
  { rows, hiddenRows = [], hiddenColumns = [], merges = [], lastRows = '' }: TestSheet,
  formats: readonly (string | number)[],
): string {
  const lines = rows.map((row, r) => {
    const cells = row.map((cell, c) => cellXml(cell, `${'ABCDEFGHIJ'[c]}${r + 1}`, formats)).join('');
    return `<row r="${r + 1}"${hiddenRows.includes(r + 1) ? ' hidden="1"' : ''}>${cells}</row>`;
  });
  const columns = hiddenColumns.map((n) => `<col min="${n}" max="${n}" width="0" hidden="1"/>`).join('');
  return `<worksheet xmlns="${MAIN}">${columns && `<cols>${columns}</cols>`}<sheetData>${lines.join('')}${lastRows}</sheetData>${merges.length > 0 ? `<mergeCells>${merges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>` : ''}</worksheet>`;
}

function cellXml(cell: SheetCell, at: string, formats: readonly (string | number)[]): string {
  if (cell === '') return '';
  if (typeof cell === 'string')
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if ('struck' in cell)
    return `<c r="${at}" s="${formats.length + 1}" t="inlineStr"><is><t>${escapeXml(cell.struck)}</t></is></c>`;
  if ('error' in cell) return `<c r="${at}" t="e"><v>${cell.error}</v></c>`;
  if ('formula' in cell) return `<c r="${at}"><f>${escapeXml(cell.formula)}</f></c>`;
  return `<c r="${at}" s="${formats.indexOf(cell.format) + 1}"><v>${cell.value}</v></c>`;
}

/** ZIP with stored or deflated entries (APPNOTE 4.3). */
export function zipOf(files: Record<string, string>, { isDeflated = false } = {}): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [title, plain] = [Buffer.from(name), Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)];
    const data = isDeflated ? deflateRawSync(plain) : plain;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isDeflated ? 8 : 0, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(plain.length, 18);
    common.writeUInt16LE(title.length, 22);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, data]);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, end, title]));
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const last = Buffer.alloc(18);
  last.writeUInt16LE(central.length, 4);
  last.writeUInt16LE(central.length, 6);
  last.writeUInt32LE(directory.length, 8);
  last.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), last]);
}
