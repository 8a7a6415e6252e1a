import { readFile } from 'node:fs/promises';
import { errorCode } from '../../platform/base/error-code.ts';
import { OperatorError } from '../../platform/base/operator-error.ts';

/** @throws OperatorError if the file cannot be read */
export const readTextFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new OperatorError(`The file ${file} cannot be read (${errorCode(error)}); correct the path.`);
  });
