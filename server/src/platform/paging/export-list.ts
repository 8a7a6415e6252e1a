import type { FastifyReply, FastifyRequest } from 'fastify';
import { BestowError } from '../base/errors.ts';
import { timeOfId } from '../base/id-time.ts';
import { decodeId, type IdPrefix } from '../base/ids.ts';
import type { PlatformDeps } from '../deps.ts';
import { type CsvFile, csvReply } from '../http/csv-reply.ts';
import { readAllPages } from './read-all-pages.ts';
import type { FilteredPage } from './read-filtered-page.ts';
import type { PageRequest } from './read-page.ts';

export interface ExportedList<Row extends object> {
  /** Of the file, without the extension. */
  name: string;
  prefix: IdPrefix;
  /** The fields in their order; dots separate nested fields. The first is the id. */
  fields: readonly [string, ...string[]];
  range: Pick<PageRequest, 'from' | 'to'>;
  readPage(request: PageRequest): Promise<FilteredPage<Row>>;
}

/**
 * Whether the client wants a list as CSV.
 *
 * @throws BestowError `parameter_invalid` if it also asks for a page: the file has every row
 */
export function wantsCsv({ headers: { accept = '' }, query }: FastifyRequest): boolean {
  if (weightOf('text/csv', accept) <= weightOf('application/json', accept)) return false;
  const param = ['limit', 'starting_after', 'ending_before'].find((name) => Object.hasOwn(query as object, name));
  if (param === undefined) return true;
  throw new BestowError('parameter_invalid', {
    param,
    message: `${param} is for pages, and a CSV file has every row. Leave it out, or ask for JSON.`,
  });
}

/** The `q` of a media type that the header names; 0 if it does not (RFC 9110, 12.4.2). */
function weightOf(type: string, accept: string): number {
  const weights = accept
    .toLowerCase()
    .split(',')
    .flatMap((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
      if (name !== type) return [];
      const q = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
      return Number(q) || 0;
    });
  return Math.max(0, ...weights);
}

/** Answers with every matching row as CSV. */
export const exportList = <Row extends object>(
  deps: Pick<PlatformDeps, 'config' | 'log'>,
  reply: FastifyReply,
  list: ExportedList<Row>,
): Promise<FastifyReply> => csvReply(reply, deps.log, list.name, csvFileOf(deps, list));

/** Makes a file of every matching row: one page of rows in memory at a time. Amounts are whole cents, as in JSON. */
export function csvFileOf<Row extends object>(
  { config }: Pick<PlatformDeps, 'config'>,
  { prefix, fields, range, readPage }: ExportedList<Row>,
): CsvFile {
  const [idField] = fields;
  const idOf = (row: object) => (row as Record<string, string>)[idField] ?? '';
  const rows = readAllPages(range, async (request) => {
    const page = await readPage(request);
    const last = page.rows.at(-1);
    const next = page.hasMore && last !== undefined ? idOf(last) : null;
    return { rows: page.rows, older: page.nextCursor ?? next, newer: null, searched_to: null };
  });
  return {
    columns: fields.map((key) => ({ key, header: key })),
    rows: withTimes(rows, (row) => timeOfId(decodeId(prefix, idOf(row)) ?? '')),
    currency: config.currency,
  };
}

/** Adds the time of each row, and its metadata as JSON. */
async function* withTimes(rows: AsyncIterable<object>, timeOf: (row: object) => Date): AsyncGenerator<object, void> {
  for await (const row of rows) {
    const { metadata } = row as { metadata?: object };
    yield { created_at: timeOf(row), ...row, ...(metadata && { metadata: JSON.stringify(metadata) }) };
  }
}
