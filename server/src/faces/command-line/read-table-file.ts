import { readFile } from 'node:fs/promises';
import { isEncoding } from 'bestow-readers/decode.ts';
import { plainHeading, TableError } from 'bestow-readers/table.ts';
import { Option } from 'commander';
import { errorCode } from '../../platform/base/error-code.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';

export const encodingOption = () =>
  new Option('--encoding <name>', 'how a file that is not Unicode writes letters, such as windows-1252');

/**
 * Reads a table that the operator names: CSV, or XLSX with one sheet.
 *
 * @returns text with separators
 * @throws OperatorError if the file cannot be read, or if it is not Unicode and no encoding is given
 */
export async function readTableFile(
  file: string,
  columns: readonly string[],
  encoding: string | undefined,
): Promise<string> {
  if (encoding !== undefined && !isEncoding(encoding))
    throw new OperatorError(`There is no encoding ${encoding}. Without --encoding, the command names those that fit.`);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new OperatorError(`The file ${file} cannot be read (${errorCode(error)}); correct the path.`);
  });
  // Loaded when a table is read.
  const { tableText } = await import('bestow-readers/table-text.ts');
  const known = new Set(columns.map(plainHeading));
  const read = await tableText(bytes, (heading) => known.has(plainHeading(heading)), encoding).catch(
    (error: unknown) => {
      throw error instanceof TableError ? new OperatorError(error.message) : error;
    },
  );
  if ('text' in read) return read.text;
  const ways = read.readings.map((reading) => `${reading.encoding} for “${reading.sample}”`);
  throw new OperatorError(
    `The file ${file} is not Unicode. Repeat the command with --encoding and the one that reads right: ${ways.join(', ')}.`,
  );
}
