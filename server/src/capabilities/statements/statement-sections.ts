import { setImmediate as untilOthersRan } from 'node:timers/promises';
import { dateOf } from 'bestow-readers/time.ts';
import type { EntryKind } from '../../core/balances/portal-schema.ts';
import type { LedgerStatementBody } from '../../core/balances/schema.ts';
import { monthOf } from '../../core/balances/show-statement.ts';
import { DAY_MS } from '../../platform/base/id-time.ts';
import type { Words } from '../../platform/languages/words.ts';
import { isolate, type Sheet } from '../../platform/print/sheet.ts';

export interface DrawnStatement extends Omit<LedgerStatementBody, 'entries'> {
  /** As JSON, which has its time as text. */
  entries: (Omit<LedgerStatementBody['entries'][number], 'created_at' | 'kind'> & {
    created_at: string;
    kind: EntryKind;
  })[];
  sums: readonly { kind: EntryKind; count: number; cents: number }[];
  isTooLong: boolean;
}

interface Issuer {
  organizationName: string;
  keyId: string;
  logo: Buffer | undefined;
}

export const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const HEIGHT = 841.89;
const BOTTOM = HEIGHT - MARGIN;
const INK = '#1d1b20';
const SOFT = '#5f5b66';
const LINE = '#d8d4de';
const ROW = 17;
const LOGO_BOX: [number, number] = [150, 48];
const SUMMARY_WIDTH = 320;
const LABEL_WIDTH = 130;

const counted = {
  funding: 'statement.fundings',
  adjustment: 'statement.adjustments',
  order: 'statement.orders',
  refund: 'statement.refunds',
} as const;

const COLUMNS = [
  { name: 'statement.day', at: 0, width: 84, align: 'start' },
  { name: 'statement.entry', at: 90, width: 194, align: 'start' },
  { name: 'statement.amount', at: 288, width: 90, align: 'end' },
  { name: 'statement.after', at: 382, width: WIDTH - 382, align: 'end' },
] as const;

/** What all sections draw with. */
interface Drawing {
  sheet: Sheet;
  words: Words;
  statement: DrawnStatement;
}

const small = { size: 9, color: INK } as const;

function drawLine({ sheet }: Drawing, y: number, width: number): void {
  const left = sheet.leftOf(MARGIN, width);
  sheet.document
    .lineWidth(0.5)
    .strokeColor(LINE)
    .moveTo(left, y)
    .lineTo(left + width, y)
    .stroke();
}

function addPage({ sheet: { document } }: Drawing): number {
  document.addPage();
  return MARGIN;
}

const drawTitle = ({ sheet }: Drawing, title: string, y: number) =>
  sheet.write(title, { at: MARGIN, width: WIDTH }, y, { size: 13, color: INK, isBold: true });

async function drawHead(drawing: Drawing, { organizationName, logo }: Issuer): Promise<number> {
  const { sheet, words, statement } = drawing;
  const { say } = words;
  const { from, to } = monthOf(statement.month);
  let y = MARGIN;
  if (logo !== undefined) {
    const align = words.direction === 'rtl' ? 'right' : undefined;
    sheet.document.image(logo, sheet.leftOf(MARGIN, LOGO_BOX[0]), y, { fit: LOGO_BOX, ...(align && { align }) });
    y += LOGO_BOX[1] + 12;
  }
  const whole = { at: MARGIN, width: WIDTH };
  y = 4 + (await sheet.write('Bestow', whole, y, { size: 10, color: SOFT, isBold: true }));
  const title = say('statement.title', { month: words.wholeMonth(from) });
  y = 10 + (await sheet.write(title, whole, y, { size: 22, color: INK, isBold: true }));
  const days = { from: words.shortDay(from), to: words.shortDay(new Date(to.getTime() - DAY_MS)), zone: 'UTC' };
  const facts = [
    [say('statement.organization'), isolate(organizationName)],
    [say('statement.organizationId'), isolate(statement.organization_id)],
    [say('statement.balance'), say(statement.environment === 'live' ? 'statement.live' : 'statement.sandbox')],
    [say('statement.period'), say('statement.days', days)],
    ...(statement.is_final ? [] : [[say('statement.status'), say('statement.open')]]),
  ] as [string, string][];
  for (const [name, value] of facts) {
    const label = { at: MARGIN, width: LABEL_WIDTH - 8 };
    const below = await sheet.write(name, label, y, { size: 10, color: SOFT });
    const place = { at: MARGIN + LABEL_WIDTH, width: WIDTH - LABEL_WIDTH };
    y = Math.max(below, await sheet.write(value, place, y, { size: 10, color: INK }));
  }
  return y + 18;
}

/** Lines of a name and an amount; the last one is the sum. */
async function drawSummary(drawing: Drawing, above: number): Promise<number> {
  const { sheet, words, statement } = drawing;
  const money = (cents: number) => words.amount(cents, statement.currency);
  const rows: [string, string][] = [
    [words.say('statement.opening'), money(statement.opening_balance)],
    ...statement.sums.map(({ kind, count, cents }): [string, string] => [
      words.say(counted[kind], { count: String(count) }),
      money(cents),
    ]),
    [words.say('statement.closing'), money(statement.closing_balance)],
  ];
  let y = 4 + (await drawTitle(drawing, words.say('statement.summary'), above));
  for (const [index, [name, amount]] of rows.entries()) {
    const isSum = index === rows.length - 1;
    const style = { size: 10, color: INK, isBold: isSum };
    await sheet.write(name, { at: MARGIN, width: SUMMARY_WIDTH - 110, isOneLine: true }, y + 3, style);
    await sheet.write(amount, { at: MARGIN + SUMMARY_WIDTH - 110, width: 110, align: 'end' }, y + 3, style);
    y += 22;
    if (!isSum) drawLine(drawing, y - 1, SUMMARY_WIDTH);
  }
  return y + 14;
}

async function drawCells(drawing: Drawing, cells: readonly string[], y: number, isHeading: boolean): Promise<number> {
  const style = isHeading ? { size: 9, color: SOFT, isBold: true } : small;
  for (const [index, { at, width, align }] of COLUMNS.entries())
    await drawing.sheet.write(cells[index] ?? '', { at: MARGIN + at, width, align, isOneLine: true }, y + 2, style);
  drawLine(drawing, y + ROW - 1, WIDTH);
  return y + ROW;
}

async function drawEntries(drawing: Drawing, above: number): Promise<number> {
  const { words, statement } = drawing;
  const { say } = words;
  if (statement.isTooLong) {
    const place = { at: MARGIN, width: WIDTH };
    return 14 + (await drawing.sheet.write(say('statement.tooMany', { json: 'JSON' }), place, above, small));
  }
  const headings = COLUMNS.map(({ name }) => say(name));
  let y = above > BOTTOM - 6 * ROW ? addPage(drawing) : above;
  y = await drawCells(drawing, headings, 4 + (await drawTitle(drawing, say('statement.entries'), y)), true);
  for (const entry of statement.entries) {
    // A thousand rows take two seconds.
    await untilOthersRan();
    if (y > BOTTOM - ROW) y = await drawCells(drawing, headings, addPage(drawing), true);
    const about = entry.order_id ?? entry.gift_id ?? entry.reference ?? entry.note ?? entry.entry_id;
    const text = `${say(`statement.${entry.kind}`)} ${isolate(about)}`;
    const amounts = [entry.amount, entry.balance_after].map((cents) => words.amount(cents, statement.currency));
    y = await drawCells(drawing, [words.shortDay(dateOf(entry.created_at)), text, ...amounts], y, false);
  }
  return y + 18;
}

async function drawProof(drawing: Drawing, keyId: string, above: number): Promise<void> {
  const { sheet, words, statement } = drawing;
  const { say } = words;
  let y = above > BOTTOM - 9 * ROW ? addPage(drawing) : above;
  y = 2 + (await drawTitle(drawing, say('statement.proof'), y));
  const values = { key: isolate(keyId), command: isolate('bestow ledger verify-statement'), json: 'JSON' };
  const style = { ...small, color: SOFT };
  y = 6 + (await sheet.write(say('statement.signed', values), { at: MARGIN, width: WIDTH }, y, style));
  sheet.document.font('Courier').fontSize(7.5).fillColor(INK);
  for (const line of statement.checkpoint.trimEnd().split('\n')) {
    sheet.document.text(line || ' ', MARGIN, y, { width: WIDTH });
    y = sheet.document.y;
  }
}

async function drawPageNumbers({ sheet, words }: Drawing): Promise<void> {
  const { count } = sheet.document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    sheet.document.switchToPage(page);
    const text = words.say('statement.page', { page: String(page + 1), pages: String(count) });
    const place = { at: MARGIN, width: WIDTH, align: 'end' } as const;
    await sheet.write(text, place, HEIGHT - MARGIN / 2 - 8, { size: 8, color: SOFT });
  }
}

/** Draws the summary, the entries and the proof of a month. */
export async function drawSections(
  sheet: Sheet,
  words: Words,
  statement: DrawnStatement,
  issuer: Issuer,
): Promise<void> {
  const drawing = { sheet, words, statement };
  const belowHead = await drawHead(drawing, issuer);
  const belowSummary = await drawSummary(drawing, belowHead);
  const belowEntries = await drawEntries(drawing, belowSummary);
  await drawProof(drawing, issuer.keyId, belowEntries);
  await drawPageNumbers(drawing);
}
