import type { Readable } from 'node:stream';
import { dateOf } from 'bestow-readers/time.ts';
import type { Caller } from '../authentication/caller.ts';
import { formatMoney } from '../base/format-money.ts';
import { DAY_MS } from '../base/id-time.ts';
import { findLogo } from '../brands/set-logo.ts';
import type { Deps } from '../deps.ts';
import { openStatement } from './ledger-statement.ts';
import type { LedgerStatementBody } from './schema.ts';
import { monthOf } from './show-statement.ts';

/** As JSON, which has its time as text. */
type Entry = Omit<LedgerStatementBody['entries'][number], 'created_at'> & { created_at: string };
type Sheet = PDFKit.PDFDocument;

/** More entries are only summed; the JSON file has all. */
const MAX_ENTRIES = 1_000;
const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN;
const INK = '#1d1b20';
const SOFT = '#5f5b66';
const LINE = '#d8d4de';
const ROW = 16;
const LOGO_BOX: [number, number] = [150, 48];

const names: Record<string, string> = {
  funding: 'Funds added',
  adjustment: 'Corrections',
  order: 'Orders',
  refund: 'Refunds',
};

/** What PDF's own fonts can write (Windows-1252); other letters become question marks. */
const writable = (text: string) =>
  text.replace(/[^\x20-\x7e\xa0-\xff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac]/gu, '?');

const day = (time: Date) =>
  time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/**
 * Draws the signed statement of a month for people: summary, entries and proof.
 *
 * @throws BestowError as `openStatement`
 */
export async function drawStatement(
  deps: Pick<Deps, 'checkpointKeys' | 'clock' | 'config' | 'database'>,
  caller: Caller,
  { month, organizationName }: { month: string; organizationName: string },
): Promise<Readable> {
  const { head, pages, close } = await openStatement(deps, caller, month);
  const entries: Entry[] = [];
  const sums = new Map<string, { count: number; cents: number }>();
  let [count, cents] = [0, 0];
  for await (const texts of pages())
    for (const entry of texts.map((text) => JSON.parse(text) as Entry)) {
      const sum = sums.get(entry.kind) ?? { count: 0, cents: 0 };
      sums.set(entry.kind, { count: sum.count + 1, cents: sum.cents + entry.amount });
      if (count < MAX_ENTRIES) entries.push(entry);
      [count, cents] = [count + 1, cents + entry.amount];
    }
  const statement = { ...head, ...(await close(count, cents)) };
  // Loaded at the first statement: the library takes 60 ms.
  const { default: PdfDocument } = await import('pdfkit');
  const created = new Date(deps.clock.now());
  const info = { Title: `Statement ${month}`, CreationDate: created, ModDate: created };
  const sheet = new PdfDocument({ size: 'A4', margin: MARGIN, info, lang: 'en' });
  const money = (amount: number) => formatMoney(amount, statement.currency);
  drawHead(sheet, statement, organizationName, await findLogo(deps, caller.organizationId));
  drawRows(sheet, [
    ['Opening balance', money(statement.opening_balance)],
    ...[...sums].map(([kind, sum]): [string, string] => [`${names[kind] ?? kind} (${sum.count})`, money(sum.cents)]),
    ['Closing balance', money(statement.closing_balance)],
  ]);
  drawEntries(sheet, count > MAX_ENTRIES ? [] : entries, money);
  if (count > MAX_ENTRIES)
    sheet
      .font('Helvetica')
      .fontSize(9)
      .fillColor(SOFT)
      .text('There are too many entries to print. The JSON file has every entry.');
  drawProof(sheet, statement, deps.checkpointKeys.current.keyId);
  sheet.end();
  return sheet as unknown as Readable;
}

type Drawn = Omit<LedgerStatementBody, 'entries'>;

function drawHead(
  sheet: Sheet,
  { month, organization_id, environment, is_final }: Drawn,
  organizationName: string,
  logo: Buffer | undefined,
) {
  const { from, to } = monthOf(month);
  const title = from.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  if (logo !== undefined) sheet.image(logo, MARGIN, MARGIN, { fit: LOGO_BOX }).moveDown(0.6);
  sheet.font('Helvetica-Bold').fontSize(10).fillColor(SOFT).text('Bestow');
  sheet.moveDown(0.6).fontSize(22).fillColor(INK).text(`Statement, ${title}`).moveDown(0.6);
  const facts: [string, string][] = [
    ['Organization', writable(organizationName)],
    ['Organization ID', organization_id],
    ['Balance', environment === 'live' ? 'Live' : 'Sandbox (test money)'],
    ['Period', `${day(from)} to ${day(new Date(to.getTime() - DAY_MS))} (UTC)`],
    ...(is_final
      ? []
      : ([['Status', 'Not final: the month has not ended, or entries wait for their seal.']] as [string, string][])),
  ];
  sheet.fontSize(10);
  for (const [name, value] of facts) {
    const { y } = sheet;
    sheet.font('Helvetica').fillColor(SOFT).text(name, MARGIN, y);
    sheet.fillColor(INK).text(value, MARGIN + 110, y, { width: WIDTH - 110 });
  }
  sheet.moveDown(1.2);
}

/** Lines of a name and an amount; the last one is the sum. */
function drawRows(sheet: Sheet, rows: readonly [string, string][]): void {
  sheet.font('Helvetica-Bold').fontSize(13).fillColor(INK).text('Summary', MARGIN).moveDown(0.4).fontSize(10);
  for (const [index, [name, amount]] of rows.entries()) {
    const { y } = sheet;
    const isSum = index === rows.length - 1;
    sheet.font(isSum ? 'Helvetica-Bold' : 'Helvetica').fillColor(INK);
    sheet.text(name, MARGIN, y + 4).text(amount, MARGIN, y + 4, { width: 300, align: 'right' });
    drawLine(sheet, y + ROW + 3, 300, isSum ? 0 : 0.5);
    sheet.y = y + ROW + 6;
  }
  sheet.x = MARGIN;
  sheet.moveDown(1);
}

function drawLine(sheet: Sheet, y: number, width: number, thickness: number): void {
  if (thickness > 0)
    sheet
      .lineWidth(thickness)
      .strokeColor(LINE)
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + width, y)
      .stroke();
}

const COLUMNS = [
  { name: 'Day', at: 0, width: 72, align: 'left' },
  { name: 'Entry', at: 76, width: 218, align: 'left' },
  { name: 'Amount', at: 296, width: 90, align: 'right' },
  { name: 'Balance after', at: 390, width: WIDTH - 390, align: 'right' },
] as const;

function drawEntries(sheet: Sheet, entries: readonly Entry[], money: (cents: number) => string): void {
  if (sheet.y > BOTTOM - 6 * ROW) sheet.addPage();
  sheet.font('Helvetica-Bold').fontSize(13).fillColor(INK).text('Entries', MARGIN).moveDown(0.4);
  const drawCells = (cells: readonly string[], font: string, color: string) => {
    const { y } = sheet;
    sheet.font(font).fontSize(9).fillColor(color);
    for (const [index, { at, width, align }] of COLUMNS.entries())
      sheet.text(cells[index] ?? '', MARGIN + at, y + 3, {
        width,
        align,
        lineBreak: false,
        ellipsis: true,
        height: ROW,
      });
    drawLine(sheet, y + ROW - 1, WIDTH, 0.5);
    sheet.y = y + ROW;
  };
  const drawHeading = () =>
    drawCells(
      COLUMNS.map(({ name }) => name),
      'Helvetica-Bold',
      SOFT,
    );
  drawHeading();
  for (const entry of entries) {
    if (sheet.y > BOTTOM - ROW) {
      sheet.addPage();
      drawHeading();
    }
    const about = entry.order_id ?? entry.gift_id ?? entry.reference ?? entry.note ?? entry.entry_id;
    const text = `${entry.kind[0]?.toUpperCase()}${entry.kind.slice(1)} ${writable(about)}`;
    const at = day(dateOf(entry.created_at));
    drawCells([at, text, money(entry.amount), money(entry.balance_after)], 'Helvetica', INK);
  }
  sheet.x = MARGIN;
  sheet.moveDown(1.5);
}

function drawProof(sheet: Sheet, { checkpoint }: Drawn, keyId: string): void {
  if (sheet.y > BOTTOM - 7 * ROW) sheet.addPage();
  sheet.font('Helvetica-Bold').fontSize(13).fillColor(INK).text('Proof', MARGIN).moveDown(0.3);
  sheet
    .font('Helvetica')
    .fontSize(9)
    .fillColor(SOFT)
    .text(
      `The ledger up to the last entry is the tree below, signed with the key ${keyId}: its name, the number of entries, its root, this statement and the signature. “bestow ledger verify-statement” checks the JSON file of this month without the service.`,
      { width: WIDTH },
    );
  sheet.moveDown(0.6).font('Courier').fontSize(7.5).fillColor(INK);
  for (const line of checkpoint.trimEnd().split('\n')) sheet.text(line || ' ', { width: WIDTH });
}
