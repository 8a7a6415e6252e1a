import type { Encoding, Reading } from 'bestow-readers/decode.ts';
import type { OpenedFile } from 'bestow-readers/read-file.ts';
import { TableError } from 'bestow-readers/table.ts';
import type { FileAnswer, FileQuestion } from './file-worker.ts';

/** Opens a table as `openFile` does, in a worker: a large file does not stop the page. @throws TableError */
export const openFileAside = (bytes: Uint8Array, headings: readonly string[], encoding?: Encoding) =>
  ask<OpenedFile>({ bytes, headings, encoding, form: 'sheets' });

/** Reads a table as `tableText` does, in a worker. @throws TableError */
export const tableTextAside = (bytes: Uint8Array, headings: readonly string[], encoding?: Encoding) =>
  ask<{ text: string } | { readings: Reading[] }>({ bytes, headings, encoding, form: 'text' });

async function ask<Read>(question: FileQuestion): Promise<Read> {
  const worker = new Worker(new URL('./file-worker.ts', import.meta.url));
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<FileAnswer>) =>
        'refused' in data ? reject(new TableError(data.refused)) : resolve(data.read as Read),
      );
      worker.addEventListener('error', () => reject(new TableError(UNREAD)));
      worker.postMessage(question);
    });
  } finally {
    worker.terminate();
  }
}

const UNREAD = 'This file cannot be read here. Save the table as “CSV UTF-8”, and try again.';
