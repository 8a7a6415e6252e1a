import type { QueryResultRow } from 'pg';
import { createBatcher } from '../base/batch.ts';
import { within } from '../base/within.ts';
import { type Queryable, statement } from './statement.ts';

interface BatchedStatement {
  /** Entity and operation, such as `gifts.select`; unique. The statement for several calls is `gifts.select_many`. */
  name: string;
  /** The PostgreSQL types of the parameters. */
  types: readonly ('uuid' | 'environment' | 'bytea')[];
  /** Returns the statement with these expressions as its parameters; it finds at most one row. */
  text(parameters: readonly string[]): string;
}

/** PostgreSQL answers one while the next is on its way. */
const MAX_RUNS = 2;
/** Larger batches were not tried; they make the first item wait for the last. */
const MAX_ITEMS = 64;
/** PostgreSQL ends a statement sooner; this ends the wait for a network that has stopped. A read changes nothing. */
const ANSWER_WITHIN_MS = 1_800;

class NoAnswer extends Error {}

/**
 * Makes a function of one read, like `statement`, for the reads of most requests: calls that arrive together go to
 * PostgreSQL as one statement. A gift's read went from 191 to 126 µs of Node's CPU and from 71 to 29 µs of PostgreSQL's
 * (bench/NOTES.md).
 */
export function batchedStatement<Parameters extends readonly unknown[], Row extends QueryResultRow>({
  name,
  types,
  text,
}: BatchedStatement): (database: Queryable, parameters: Parameters) => Promise<Row[]> {
  const selectOne = statement<Parameters, Row>(name, text(types.map((_, index) => `$${index + 1}`)));
  const columns = types.map((_, index) => `p${index + 1}`);
  const selectMany = statement<unknown[][], Row & { n: number }>(
    `${name}_many`,
    `select asked.n::integer - 1 as n, found.*
     from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
       with ordinality as asked (${columns.join(', ')}, n)
     cross join lateral (${text(columns.map((column) => `asked.${column}`))}) found`,
  );

  async function selectEach(database: Queryable, calls: Parameters[]): Promise<Row[][]> {
    const [only] = calls;
    if (only !== undefined && calls.length === 1) return [await selectOne(database, only)];
    const answers: Row[][] = calls.map(() => []);
    const arrays = types.map((_, index) => calls.map((parameters) => parameters[index]));
    for (const row of await selectMany(database, arrays)) answers[row.n]?.push(row);
    return answers;
  }

  const createSubmit = (database: Queryable) =>
    createBatcher<Parameters, Row[]>({
      run: (calls) =>
        within(ANSWER_WITHIN_MS, selectEach(database, calls), () => {
          throw new NoAnswer('PostgreSQL did not answer in time.');
        }),
      maxItems: MAX_ITEMS,
      maxRuns: MAX_RUNS,
      isStall: (error) => error instanceof NoAnswer,
    }).submit;

  const submits = new WeakMap<Queryable, ReturnType<typeof createSubmit>>();
  return (database, parameters) => {
    const submit = submits.get(database) ?? createSubmit(database);
    submits.set(database, submit);
    return submit(parameters);
  };
}
