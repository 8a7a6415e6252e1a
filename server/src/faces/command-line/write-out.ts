import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../../platform/base/error-code.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { printableLines } from '../../platform/base/printable.ts';
import { printRemark } from './print.ts';

/**
 * Writes a stream to a new file that only its owner can read, or to standard output.
 *
 * @param path undefined: standard output
 * @param start called once the file is made
 * @throws OperatorError if the file exists or cannot be written; then it is not left half
 */
export async function writeOut(path: string | undefined, start: () => Promise<Readable>): Promise<void> {
  if (path === undefined) await writeToOutput(await start());
  else await writeToFile(path, start);
}

/** Writes as fast as the reader reads. Ends early without an error if the reader does. */
async function writeToOutput(csv: Readable): Promise<void> {
  const { stdout } = process;
  for await (const text of csv.setEncoding('utf8')) {
    if (stdout.errored) return;
    // A file keeps the names as they are; a terminal must not be steered by them.
    if (!stdout.write(stdout.isTTY ? printableLines(text.replaceAll('\r\n', '\n')) : text))
      await once(stdout, 'drain').catch((error) => {
        if (errorCode(error) !== 'EPIPE') throw error;
      });
  }
}

/**
 * @param start called once the file is made
 * @throws OperatorError if the file exists or cannot be written; then it is not left half
 */
async function writeToFile(path: string, start: () => Promise<Readable>): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await pipeline(await start(), file.createWriteStream());
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw new OperatorError(`The file ${path} exists. Choose another name.`);
    if (code?.startsWith('E')) throw new OperatorError(`The file ${path} cannot be written (${code}).`);
    throw error;
  }
  printRemark(`Written to ${path}, which only you can read.`);
}
