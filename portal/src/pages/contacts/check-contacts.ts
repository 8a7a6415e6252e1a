import type { DayOrder } from 'bestow-readers/written-time.ts';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import type { useScope } from '../../api/use-scope.ts';
import type { LeftOut } from '../file/sheet-answers.ts';
import { type ContactColumn, isContactColumn } from './contact-headings.ts';
import { type ContactCells, type ContactRow, contactOf, readersOfDays } from './read-contacts.ts';

type Path = ReturnType<typeof useScope>['path'];
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
}

/** The rows of a file, each with its contact or its fault. */
export interface CheckedContacts {
  rows: readonly CheckedContact[];
  dayOrder: DayOrder;
  leftOut: readonly LeftOut[];
  /** Headings of columns that are not used. */
  unused: readonly string[];
}

export const ROWS_PER_CALL = 200;

/** Reads rows as the file writes them, as far as the browser can. */
export function readRows(rows: readonly { line: number; cells: ContactCells }[], dayOrder: DayOrder): CheckedContact[] {
  const days = readersOfDays(dayOrder);
  const earlier = new Map<string, number>();
  return rows.map(({ line, cells }): CheckedContact => {
    const found = contactOf(cells, days);
    if ('fault' in found) return { line, cells, removed: [], ...found };
    const fault = repeatOf(found.contact, line, earlier);
    return fault === undefined ? { line, cells, ...found } : { line, cells, removed: [], fault };
  });
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
  rows: readonly { line: number; cells: ContactCells }[],
  { dayOrder, earlier = new Map(), onProgress = () => undefined }: Check,
): Promise<CheckedContact[]> {
  const read = readRows(rows, dayOrder).map((row) => (row.fault === undefined && earlier.get(row.line)) || row);
  const whole = read.filter(({ contact, outcome }) => contact !== undefined && outcome === undefined);
  for (let first = 0; first < whole.length; first += ROWS_PER_CALL) {
    const some = whole.slice(first, first + ROWS_PER_CALL);
    const body = { rows: some.flatMap(({ contact }) => contact ?? []) };
    const { data } = await unwrap(api.POST(`${SCOPE_PATH}/contacts/check`, { params: { path }, body }));
    for (const [index, checked] of data.entries()) addAnswer(some[index], checked);
    onProgress(Math.min(first + ROWS_PER_CALL, whole.length));
  }
  return read;
}

function addAnswer(row: CheckedContact | undefined, { outcome, contact_id, column, message }: Checked): void {
  if (row === undefined) return;
  row.outcome = outcome;
  row.contactId = contact_id;
  if (outcome !== 'refused' || message === null) return;
  const address = row.contact?.delivery.method ?? 'email';
  const words = message.replace(column ?? '', '').trim();
  row.fault = {
    column: column !== null && isContactColumn(column) ? column : address,
    message: words.charAt(0).toUpperCase() + words.slice(1),
  };
}

/** Takes rows out because a person says so. */
export function withoutLines(file: CheckedContacts, lines: readonly number[]): CheckedContacts {
  return {
    ...file,
    rows: file.rows.filter(({ line }) => !lines.includes(line)),
    leftOut: [...file.leftOut, ...lines.map((line) => ({ line, why: 'left out by you' }))],
  };
}
