import { api, SCOPE_PATH, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { type BatchGift, type Cells, columnNames, type Fault, giftOfRow } from './columns.ts';

type Path = { organization_id: string; environment: 'live' | 'sandbox' };

/** A row of the file. */
export interface Row {
  /** In the file, the first line below the headings being 2. */
  line: number;
  cells: Cells;
  gift?: BatchGift;
  fault?: Fault | undefined;
  /** To compare. */
  address: string | null;
  recent: components['schemas']['CheckedRow']['recent'];
}

export const ROWS_PER_CALL = 200;

export const newRow = (line: number, cells: Cells): Row => ({ line, cells, address: null, recent: null });

/** Checks rows in the browser and then by the server, 200 at a time. */
export async function checkRows(
  path: Path,
  rows: readonly Row[],
  categories: Parameters<typeof giftOfRow>[1],
  onProgress: (checked: number) => void,
): Promise<Row[]> {
  const read = rows.map(({ line, cells }): Row => {
    const found = giftOfRow(cells, categories);
    return 'gift' in found
      ? { ...newRow(line, cells), gift: found.gift }
      : { ...newRow(line, cells), fault: found.fault };
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
  const known = columnNames.find((name) => name === column) ?? 'method';
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

interface Sending {
  formId: string;
  name: string;
  rows: readonly Row[];
  acceptsDuplicates: boolean;
  onProgress: (stored: number) => void;
}

/** Stores the rows and starts the batch. Safe to repeat: a form makes one batch. Returns its id. */
export async function sendRows(
  path: Path,
  { formId, name, rows, acceptsDuplicates, onProgress }: Sending,
): Promise<string> {
  const create = { params: { path }, body: { form_id: formId, name, rows: rows.length } };
  const { batch_id } = await unwrap(api.POST(`${SCOPE_PATH}/batches`, create));
  const params = { path: { ...path, batch_id } };
  const { state } = await unwrap(api.GET(`${SCOPE_PATH}/batches/{batch_id}`, { params }));
  if (state !== 'draft') return batch_id;
  for (let first = 0; first < rows.length; first += ROWS_PER_CALL) {
    const some = rows.slice(first, first + ROWS_PER_CALL).map(({ gift }) => gift as BatchGift);
    const body = { first_row: first + 1, rows: some };
    await unwrap(api.PUT(`${SCOPE_PATH}/batches/{batch_id}/rows`, { params, body }));
    onProgress(Math.min(first + ROWS_PER_CALL, rows.length));
  }
  const body = { amount: sumOf(rows), accepts_duplicates: acceptsDuplicates };
  await unwrap(api.POST(`${SCOPE_PATH}/batches/{batch_id}/start`, { params, body }));
  return batch_id;
}
