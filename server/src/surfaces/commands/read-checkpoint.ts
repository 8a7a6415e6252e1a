import { Option } from 'commander';
import { type Checkpoint, parseCheckpoint } from '../../capabilities/seals/checkpoint.ts';
import { readTextFile } from '../../faces/command-line/read-file.ts';

export const checkpointOption = (): Option =>
  new Option(
    '--checkpoint <file>',
    'what ledger checkpoint printed or GET /v1/ledger/checkpoint returned as note: it must still hold',
  );

/** @throws OperatorError if the file cannot be read or holds something else */
export async function readCheckpoint(file: string | undefined): Promise<Checkpoint[]> {
  if (file === undefined) return [];
  return parseCheckpoint(await readTextFile(file));
}
