import { cleanAddress } from 'bestow-readers/address.ts';
import type { DayOrder } from 'bestow-readers/written-time.ts';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import type { useScope } from '../../api/use-scope.ts';
import type { LeftOut } from '../file/sheet-answers.ts';
import { type ContactColumn, isContactColumn } from './contact-headings.ts';
import { hasLeft } from './has-left.ts';
import { type ContactCells, type ContactRow, contactOf, readersOfDays } from './read-contacts.ts';

export type Path = ReturnType<typeof useScope>['path'];
type Checked = components['schemas']['CheckedContacts']['data'][number];

/** A row of the file with what importing it would do. */
export interface CheckedContact extends ContactRow {
  cells: ContactCells;
  fault?: { column: ContactColumn; message: string };
  /** What was taken away from the address, for people. */
  removed: string[];
  outcome?: Checked['outcome'];
  /** The contact that the row is. */
  contactId?: string | null;
  /** Fields of the contact that the row changes. */
  changes?: readonly string[];
  hasLeft?: boolean;
}

/** The rows of a file, each with its contact or its fault. */
export interface CheckedContacts {
  rows: readonly CheckedContact[];
  /** Rows of people who have left, as the file says; they are not imported. */
  left: readonly CheckedContact[];
  /** Other rows of the file that are not imported. */
  others: readonly CellsOfRow[];
  dayOrder: DayOrder;
  leftOut: readonly LeftOut[];
  /** Headings of columns that are not used. */
  unused: readonly string[];
}

interface CellsOfRow {
  line: number;
  cells: ContactCells;
}

export const ROWS_PER_CALL = 200;

/** Reads rows as the file writes them, as far as the browser can. */
export function readRows(rows: readonly CellsOfRow[], dayOrder: DayOrder): CheckedContact[] {
  const days = readersOfDays(dayOrder);
  const earlier = new Map<string, number>();
  return rows.map(({ line, cells }): CheckedContact => {
    const left = hasLeft(cells, days.last_day);
    if (left === undefined)
      return {
        line,
        cells,
        removed: [],
        fault: { column: 'last_day', message: 'Enter a day with its year, such as 2026-03-31.' },
      };
    if (left) return leftRow(line, cells, days);
    const found = contactOf(cells, days);
    if ('fault' in found) return { line, cells, removed: [], ...found };
    const fault = repeatOf(found.contact, line, earlier);
    return fault === undefined ? { line, cells, ...found } : { line, cells, removed: [], fault };
  });
}

/** A row of a person who has left has what finds the contact. What is wrong with the rest is not asked. */
function leftRow(line: number, cells: ContactCells, days: ReturnType<typeof readersOfDays>): CheckedContact {
  const { email, phone, external_id } = cells;
  const named = Object.entries({ email, phone, external_id }).filter(([, text]) => text !== undefined);
  const found = contactOf(Object.fromEntries(named), days);
  return { line, cells, removed: [], hasLeft: true, ...('contact' in found && { contact: found.contact }) };
}

/** An address or a reference that an earlier row has. */
function repeatOf(
  { delivery, external_id }: NonNullable<ContactRow['contact']>,
  line: number,
  earlier: Map<string, number>,
): CheckedContact['fault'] {
  const address = delivery.method === 'email' ? delivery.email.toLowerCase() : delivery.phone;
  const keys = [
    [delivery.method, `address ${address}`, 'address'],
    ['external_id', `reference ${external_id}`, 'reference'],
  ] as const;
  for (const [column, key, what] of keys) {
    const other = column === 'external_id' && external_id == null ? undefined : earlier.get(key);
    if (other !== undefined) return { column, message: `Line ${other} has this ${what}.` };
  }
  for (const [, key] of keys) earlier.set(key, line);
  return undefined;
}

interface Check {
  dayOrder: DayOrder;
  /** Rows that did not change since the server answered, by line. */
  earlier?: ReadonlyMap<number, CheckedContact>;
  onProgress?: (checked: number) => void;
}

/** Reads rows in the browser and then asks the server about them, 200 at a time. */
export async function checkRows(
  path: Path,
  rows: readonly CellsOfRow[],
  { dayOrder, earlier = new Map(), onProgress = () => undefined }: Check,
): Promise<CheckedContact[]> {
  const read = readRows(rows, dayOrder).map((row) => (row.fault === undefined && earlier.get(row.line)) || row);
  const open = read.filter(({ contact, outcome }) => contact !== undefined && outcome === undefined);
  // Apart: a person who left and came back is in two rows.
  const parts = [open.filter((row) => !row.hasLeft), open.filter((row) => row.hasLeft)];
  const calls = parts.flatMap((part) =>
    Array.from({ length: Math.ceil(part.length / ROWS_PER_CALL) }, (_, call) =>
      part.slice(call * ROWS_PER_CALL, (call + 1) * ROWS_PER_CALL),
    ),
  );
  let checked = 0;
  for (const some of calls) {
    const body = { rows: some.flatMap(({ contact }) => contact ?? []) };
    const { data } = await unwrap(api.POST(`${SCOPE_PATH}/contacts/check`, { params: { path }, body }));
    for (const [index, answer] of data.entries()) addAnswer(some[index], answer);
    checked += some.length;
    onProgress(checked);
  }
  return read;
}

function addAnswer(row: CheckedContact | undefined, { outcome, contact_id, changes, column, message }: Checked): void {
  if (row === undefined) return;
  row.outcome = outcome;
  row.contactId = contact_id;
  row.changes = changes;
  if (outcome !== 'refused' || message === null) return;
  const address = row.contact?.delivery.method ?? 'email';
  const words = message.replace(column ?? '', '').trim();
  row.fault = {
    column: column !== null && isContactColumn(column) ? column : address,
    message: words.charAt(0).toUpperCase() + words.slice(1),
  };
}

/** What finds the contacts of rows that are not read further. */
export const identitiesOf = (rows: readonly CellsOfRow[]): { addresses: string[]; external_ids: string[] } => ({
  addresses: rows.flatMap(({ cells }) =>
    (['email', 'phone'] as const).flatMap((method) => cleanAddress(method, cells[method] ?? '').address || []),
  ),
  external_ids: rows.flatMap(({ cells }) => cells.external_id ?? []),
});

/** Takes rows out because a person says so. */
export function withoutLines(file: CheckedContacts, lines: readonly number[]): CheckedContacts {
  return {
    ...file,
    rows: file.rows.filter(({ line }) => !lines.includes(line)),
    others: [...file.others, ...file.rows.filter(({ line }) => lines.includes(line))],
    leftOut: [...file.leftOut, ...lines.map((line) => ({ line, why: 'left out by you' }))],
  };
}

/** Takes the rows of people who have left out of those to import. What is wrong with them is not asked. */
export function withoutLeft(file: Omit<CheckedContacts, 'left'> & { left?: CheckedContacts['left'] }): CheckedContacts {
  const { rows, left = [] } = file;
  const isLeft = (row: CheckedContact) => row.hasLeft === true;
  const staying = rows.filter((row) => !isLeft(row));
  return { ...file, rows: staying, left: [...left, ...rows.filter(isLeft)] };
}
