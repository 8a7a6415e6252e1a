import { readTable, refusalOf } from '../../platform/api/read-table.ts';

const MAX_REFERENCE = 255;

export const referenceColumns = ['reference', 'amount'] as const;

/**
 * Reads a table with the columns `reference` and `amount` (whole cents), in any order and beside others. Lines of the same
 * reference are added up.
 *
 * @returns signed cents by reference
 * @throws BestowError `parameter_invalid` that names the line
 */
export async function readReferences(text: string): Promise<Map<string, number>> {
  const columns = { all: referenceColumns, required: referenceColumns, mayHaveOthers: true };
  const rows = await readTable(text, columns);
  const sums = new Map<string, number>();
  for (const { line, read } of rows) {
    // Our own exports put an apostrophe before text that a spreadsheet would run.
    const name = read('reference').replace(/^'(?=[=+\-@])/, '');
    const cents = read('amount');
    if (name === '' || name.length > MAX_REFERENCE)
      throw refusalOf(`Line ${line} must have a reference of 1 to 255 characters.`);
    if (!/^[+-]?\d{1,15}$/.test(cents))
      throw refusalOf(`The amount of line ${line} must be whole cents, such as 2500.`);
    sums.set(name, (sums.get(name) ?? 0) + Number(cents));
  }
  return sums;
}
