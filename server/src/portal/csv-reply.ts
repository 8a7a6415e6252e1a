import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { errorCode } from '../base/error-code.ts';

interface CsvColumn {
  /** A field of the rows; with dots, of what is within them. */
  key: string;
  header: string;
  /** The field holds cents: it is written in decimals, and its header names the currency. */
  isMoney?: true;
}

export interface CsvFile {
  columns: readonly CsvColumn[];
  rows: AsyncIterable<object>;
  /** Three letters, for the headers of money. */
  currency: string;
}

/** Node's, where whoever reads goes away. */
const READER_GONE = 'ERR_STREAM_PREMATURE_CLOSE';

/** Sends the rows as a file to keep. @param name without its ending */
export async function csvReply(
  reply: FastifyReply,
  log: Pick<Logger, 'error'>,
  name: string,
  file: CsvFile,
): Promise<FastifyReply> {
  const stream = await csvStream(file, (error) => {
    // Before its first byte an error is answered, and logged, as any other.
    if (reply.raw.headersSent && errorCode(error) !== READER_GONE)
      log.error({ err: error, request_id: reply.request.requestId }, 'A file broke off before its end.');
  });
  return reply
    .header('Content-Type', 'text/csv; charset=utf-8')
    .header('Content-Disposition', `attachment; filename="${name}.csv"`)
    .send(stream);
}

/**
 * Rows as CSV (RFC 4180, UTF-8 with its mark so that spreadsheets see it), row by row: as few rows are in memory as the
 * reader leaves waiting. Text that a spreadsheet would run as a formula begins with an apostrophe, also behind a semicolon
 * or a tab, where some begin a cell of their own; times are in ISO 8601.
 *
 * @param onBroken told why the rows broke off; whoever reads is told by the stream itself
 */
export async function csvStream(
  { columns, rows, currency }: CsvFile,
  onBroken: (error: Error) => void = () => undefined,
): Promise<Readable> {
  // At the first export: a service at rest does without its 3 MB.
  const { stringify } = await import('csv-stringify');
  const money = new Set(columns.filter(({ isMoney }) => isMoney).map(({ key }) => key));
  const csv = stringify({
    bom: true,
    header: true,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    escape_formulas: true,
    columns: columns.map(({ key, header, isMoney }) => ({ key, header: isMoney ? `${header} (${currency})` : header })),
    cast: {
      number: (value, { column }) => (money.has(String(column)) ? decimal(value) : String(value)),
      date: (value) => value.toISOString(),
      string: (value) => value.replace(/([;\t]\s*)(?=[=+\-@])/g, "$1'"),
    },
  });
  return pipeline(Readable.from(rows), csv, (error) => {
    if (error) onBroken(error);
  });
}

/** `-12.05` of -1205 cents; exact for every balance. */
function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
