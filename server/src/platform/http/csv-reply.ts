import { pipeline, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { guardFormulas } from 'bestow-readers/formula-sign.ts';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { errorCode } from '../base/error-code.ts';

interface CsvColumn {
  /** A field of the rows; dots separate nested fields. */
  key: string;
  header: string;
  /** The field has cents. The file has decimals, and the header names the currency. */
  isMoney?: true;
}

export interface CsvFile {
  columns: readonly CsvColumn[];
  rows: AsyncIterable<object>;
  /** ISO 4217. */
  currency: string;
}

/** Node's code if the reader disconnects. */
const READER_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

/** A search may pass over many rows before it finds the first one. */
const HEADING_AFTER_MS = 1_000;

/** Sends the rows as a download. @param name without the extension */
export async function csvReply(
  reply: FastifyReply,
  log: Pick<Logger, 'error'>,
  name: string,
  file: CsvFile,
): Promise<FastifyReply> {
  const stream = await csvStream(file, (error) => {
    // The error handler answers and logs an error before the first byte.
    if (reply.raw.headersSent && errorCode(error) !== READER_GONE)
      log.error({ err: error, request_id: reply.request.requestId }, 'A CSV file ended early.');
  });
  return reply
    .header('Content-Type', 'text/csv; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="${name}.csv"`)
    .send(stream);
}

/**
 * Writes rows as CSV: RFC 4180, UTF-8 with a byte order mark for spreadsheets, times in ISO 8601. Rows are read as fast
 * as the client reads; the heading comes before the first row if that takes long. An apostrophe goes before text that a spreadsheet would run as a formula; our readers take it away.
 *
 * @param onBroken receives the error if the rows end early
 */
export async function csvStream(
  { columns, rows, currency }: CsvFile,
  onBroken: (error: Error) => void = () => undefined,
): Promise<Readable> {
  // Loaded at the first export: the library takes 3 MB.
  const { stringify } = await import('csv-stringify');
  const money = new Set(columns.filter(({ isMoney }) => isMoney).map(({ key }) => key));
  const csv = stringify({
    bom: true,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    columns: columns.map(({ key }) => ({ key })),
    cast: {
      number: (value, { column }) => (money.has(String(column)) ? decimal(value) : String(value)),
      boolean: (value) => String(value),
      date: (value) => value.toISOString(),
      string: guardFormulas,
    },
  });
  const heading = columns.map(({ header, isMoney }) => (isMoney ? `${header} (${currency})` : header));
  return pipeline(Readable.from(withHeading(heading, rows)), csv, (error) => {
    if (error) onBroken(error);
  });
}

/** An error that comes before the heading can still be answered. */
async function* withHeading(heading: string[], rows: AsyncIterable<object>): AsyncGenerator<object, void> {
  const reader = rows[Symbol.asyncIterator]();
  try {
    let next = reader.next();
    await Promise.race([next, wait(HEADING_AFTER_MS, undefined, { ref: false })]);
    // The client may not read on before it fails.
    next.catch(() => undefined);
    yield heading;
    for (let row = await next; !row.done; row = await next) {
      yield row.value;
      next = reader.next();
    }
  } finally {
    await reader.return?.();
  }
}

/** Writes -1205 cents as `-12.05`, exactly for every balance. */
function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
