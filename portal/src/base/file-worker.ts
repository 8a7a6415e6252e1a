import type { Encoding } from 'bestow-readers/decode.ts';
import { openFile } from 'bestow-readers/read-file.ts';
import { plainHeading, TableError } from 'bestow-readers/table.ts';
import { tableText } from 'bestow-readers/table-text.ts';

/** A file to read beside the page. */
export interface FileQuestion {
  bytes: Uint8Array;
  /** Headings that are known, in any of the forms that `plainHeading` makes alike. */
  headings: readonly string[];
  encoding: Encoding | undefined;
  form: 'sheets' | 'text';
}

export type FileAnswer =
  | { read: Awaited<ReturnType<typeof openFile>> | Awaited<ReturnType<typeof tableText>> }
  | { refused: string };

addEventListener('message', async ({ data }: MessageEvent<FileQuestion>) => {
  const known = new Set(data.headings.map(plainHeading));
  const read = data.form === 'sheets' ? openFile : tableText;
  try {
    answer({ read: await read(data.bytes, (heading) => known.has(plainHeading(heading)), data.encoding) });
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    answer({ refused: error.message });
  }
});

const answer = (message: FileAnswer) => postMessage(message);
