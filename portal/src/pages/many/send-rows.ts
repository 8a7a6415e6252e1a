import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { MOST_CENTS } from '../../base/gift-limits.ts';
import { isUnanswered } from '../gift-form/send-draft.ts';
import { type Path, ROWS_PER_CALL, type Row, sumOf } from './check.ts';
import type { BatchGift } from './columns.ts';

interface Form {
  formId: string;
  name: string;
  rows: readonly Row[];
}

interface Sending extends Form {
  acceptsDuplicates: boolean;
  onProgress: (stored: number) => void;
}

/**
 * Stores the rows and starts the batch. Safe to repeat: a form makes one batch. An error with an answer says that nothing was
 * bought. Returns the batch's id.
 */
export async function sendRows(path: Path, { acceptsDuplicates, onProgress, ...form }: Sending): Promise<string> {
  const { rows } = form;
  const { params, batchId, isStarted } = await batchOf(path, form, rows.length);
  if (await isStarted()) return batchId;
  try {
    for (let first = 0; first < rows.length; first += ROWS_PER_CALL) {
      const some = rows.slice(first, first + ROWS_PER_CALL).map(({ gift }) => gift as BatchGift);
      const body = { first_row: first + 1, rows: some };
      await unwrap(api.PUT(`${SCOPE_PATH}/batches/{batch_id}/rows`, { params, body }));
      onProgress(Math.min(first + ROWS_PER_CALL, rows.length));
    }
    const body = { amount: sumOf(rows), accepts_duplicates: acceptsDuplicates };
    await unwrap(api.POST(`${SCOPE_PATH}/batches/{batch_id}/start`, { params, body }));
  } catch (error) {
    // An earlier start whose answer was lost may arrive in the meantime.
    if (isUnanswered(error) || !(await isStarted())) throw error;
  }
  return batchId;
}

/** Asks for an approval of rows that a rule holds back, once for a form. Returns the request. */
export async function askForRows(path: Path, form: Form & { acceptsDuplicates: boolean }) {
  const { rows, formId, acceptsDuplicates } = form;
  const { batchId } = await batchOf(path, form, rows.length);
  const body = { form_id: formId, batch_id: batchId, amount: sumOf(rows), accepts_duplicates: acceptsDuplicates };
  return unwrap(api.POST(`${SCOPE_PATH}/gift-requests/batches`, { params: { path }, body }));
}

/**
 * Finds out whether a form whose answer was lost has bought something. Returns its batch, or undefined: then it can buy nothing
 * any more, because a start that arrives late finds another sum.
 */
export async function settleForm(path: Path, form: Form & { gifts: number }): Promise<string | undefined> {
  const { params, batchId, isStarted } = await batchOf(path, form, form.gifts);
  if (await isStarted()) return batchId;
  const first = form.rows[0]?.gift;
  if (first !== undefined) {
    const changed = { ...first, amount: first.amount < MOST_CENTS ? first.amount + 1 : first.amount - 1 };
    const body = { first_row: 1, rows: [changed] };
    await unwrap(api.PUT(`${SCOPE_PATH}/batches/{batch_id}/rows`, { params, body })).catch((error: unknown) => {
      if (!(error instanceof ApiError) || isUnanswered(error)) throw error;
    });
  }
  return (await isStarted()) ? batchId : undefined;
}

async function batchOf(path: Path, { formId, name }: Pick<Form, 'formId' | 'name'>, rows: number) {
  const create = { params: { path }, body: { form_id: formId, name, rows } };
  const { batch_id } = await unwrap(api.POST(`${SCOPE_PATH}/batches`, create));
  const params = { path: { ...path, batch_id } };
  const isStarted = async () =>
    (await unwrap(api.GET(`${SCOPE_PATH}/batches/{batch_id}`, { params }))).state !== 'draft';
  return { params, batchId: batch_id, isStarted };
}
