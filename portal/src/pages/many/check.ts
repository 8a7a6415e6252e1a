import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import type { LeftOut } from '../file/sheet-answers.ts';
import { type BatchGift, type CellName, type Cells, type Fault, giftOfRow, type RowReader } from './columns.ts';
import { labels } from './headings.ts';

export type Path = { organization_id: string; environment: 'live' | 'sandbox' };

/** A row of the file. */
export interface Row {
  /** As the file counts. */
  line: number;
  cells: Cells;
  gift?: BatchGift;
  fault?: Fault | undefined;
  /** What was taken away from the address, for people. */
  removed: string[];
  /** To compare. */
  address: string | null;
  recent: components['schemas']['CheckedRow']['recent'];
}

/** The rows of a file, each with its gift or its fault. */
export interface CheckedFile {
  rows: readonly Row[];
  /** Reads corrections as the file is read. */
  reader: RowReader;
  /** Lines with content, without the headings. */
  lines: number;
  leftOut: readonly LeftOut[];
  /** Headings of columns that are not used. */
  unused: readonly string[];
}

/** Takes rows out because a person says so. */
export function withoutRows(file: CheckedFile, isOut: (row: Row) => boolean, why: string): CheckedFile {
  const out = file.rows.filter(isOut);
  return {
    ...file,
    rows: file.rows.filter((row) => !isOut(row)),
    leftOut: [...file.leftOut, ...out.map(({ line }) => ({ line, why }))],
  };
}

export const ROWS_PER_CALL = 200;

export const newRow = (line: number, cells: Cells): Row => ({ line, cells, removed: [], address: null, recent: null });

/** Checks rows in the browser and then by the server, 200 at a time. */
export async function checkRows(
  path: Path,
  rows: readonly Row[],
  reader: RowReader,
  onProgress: (checked: number) => void,
): Promise<Row[]> {
  const read = rows.map(({ line, cells }): Row => {
    const found = giftOfRow(cells, reader);
    return 'gift' in found ? { ...newRow(line, cells), ...found } : { ...newRow(line, cells), fault: found.fault };
  });
  const whole = read.filter(({ gift }) => gift !== undefined);
  for (let first = 0; first < whole.length; first += ROWS_PER_CALL) {
    const some = whole.slice(first, first + ROWS_PER_CALL);
    const body = { first_row: 1, rows: some.map(({ gift }) => gift as BatchGift) };
    const { data } = await unwrap(api.POST(`${SCOPE_PATH}/batches/check`, { params: { path }, body }));
    for (const { row, address, errors, recent } of data) {
      const [error] = errors;
      Object.assign(some[row - 1] as Row, { address, recent, fault: error && presentFault(error) });
    }
    onProgress(Math.min(first + ROWS_PER_CALL, whole.length));
  }
  return read;
}

function presentFault({ column, message }: { column: string; message: string }): Fault {
  const known = Object.hasOwn(labels, column) ? (column as CellName) : 'method';
  const words = message.replace(column, '').trim();
  return { column: known, message: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** Rows to an address that had a gift within 30 days, or that an earlier row has. */
export function duplicatesOf(rows: readonly Row[]): Set<Row> {
  const seen = new Set<string>();
  const found = new Set<Row>();
  for (const row of rows) {
    const address = row.address?.toLowerCase();
    if (address === undefined) continue;
    if (row.recent !== null || seen.has(address)) found.add(row);
    seen.add(address);
  }
  return found;
}

export const sumOf = (rows: readonly Row[]) => rows.reduce((cents, { gift }) => cents + (gift?.amount ?? 0), 0);
