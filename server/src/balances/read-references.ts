import { readCells } from '../base/read-cells.ts';
import { BestowError } from '../errors.ts';

/** A file of this many lines has about 400 KB. */
const MAX_LINES = 10_000;
const MAX_REFERENCE = 255;

/**
 * Reads a CSV with the columns `reference` and `amount` (whole cents), in any order and beside others. Lines of the same
 * reference are added up.
 *
 * @returns signed cents by reference
 * @throws BestowError `parameter_invalid` that names the line
 */
export function readReferences(text: string): Map<string, number> {
  const [heading = [], ...lines] = readCells(text);
  const names = heading.map((name) => name.trim().toLowerCase());
  const [reference, amount] = ['reference', 'amount'].map((name) => names.indexOf(name));
  if (reference === undefined || amount === undefined || reference < 0 || amount < 0)
    refuse('The first line must name the columns reference and amount.');
  if (lines.length > MAX_LINES) refuse(`The file must have at most ${MAX_LINES} lines; split it by month.`);
  const sums = new Map<string, number>();
  for (const [index, cells] of lines.entries()) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    const line = index + 2;
    // Our own exports put an apostrophe before text that a spreadsheet would run.
    const name = (cells[reference] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
    const cents = (cells[amount] ?? '').trim();
    if (name === '' || name.length > MAX_REFERENCE)
      refuse(`Line ${line} must have a reference of 1 to 255 characters.`);
    if (!/^[+-]?\d{1,15}$/.test(cents)) refuse(`The amount of line ${line} must be whole cents, such as 2500.`);
    sums.set(name, (sums.get(name) ?? 0) + Number(cents));
  }
  if (sums.size === 0) refuse('The file has no lines after the first.');
  return sums;
}

function refuse(message: string): never {
  throw new BestowError('parameter_invalid', { param: 'csv', message });
}
