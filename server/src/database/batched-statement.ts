import type { QueryResultRow } from 'pg';
import { createBatcher } from '../base/batch.ts';
import { type Queryable, statement } from './statement.ts';

type ParameterType = 'uuid' | 'environment' | 'integer' | 'bytea' | 'text';

interface BatchedStatement {
  /** Entity and operation, such as `gifts.select`; unique. The one for many is called `gifts.select_many`. */
  name: string;
  /** PostgreSQL's types of the parameters. */
  types: readonly ParameterType[];
  /** The statement with these expressions in the place of its parameters. */
  text(parameters: readonly string[]): string;
  /** Columns by which one asker's rows are ordered, as the text itself orders them. */
  order?: string;
}

/** At a time, on each connection: one is answered while the next is on its way. */
const MAX_RUNS = 2;
/** A thousand reads: more than there are requests that wait for long (http/admission.ts). */
const MAX_FULL_RUNS = 16;
/** As many as orders go together by default. Larger batches were not tried; they make the first wait for the last. */
const MAX_ITEMS = 64;
const MAX_WAITING = 10_000;
/** A database that does not answer is told of within two seconds; every request begins with a read of this kind. */
const ANSWER_WITHIN_MS = 1_800;

/**
 * One read as a function, like `statement`, for what every request asks: reads that arrive while others are under way go
 * to PostgreSQL together and come back in one answer. A gift's read went from 191 to 126 µs
 * of Node's processor by it, and from 71 to 29 of PostgreSQL's (bench/NOTES.md).
 */
export function batchedStatement<Parameters extends readonly unknown[], Row extends QueryResultRow>({
  name,
  types,
  text,
  order,
}: BatchedStatement): (database: Queryable, parameters: Parameters) => Promise<Row[]> {
  const selectOne = statement<Parameters, Row>(name, text(types.map((_, index) => `$${index + 1}`)));
  const columns = types.map((_, index) => `p${index + 1}`);
  const selectMany = statement<string[], Row & { n: number }>(
    `${name}_many`,
    `select asked.n::integer - 1 as n, found.*
     from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
       with ordinality as asked (${columns.join(', ')}, n)
     cross join lateral (${text(columns.map((column) => `asked.${column}`))}) found
     order by asked.n${order === undefined ? '' : `, ${order}`}`,
  );

  async function selectEach(database: Queryable, asked: Parameters[]): Promise<Row[][]> {
    const [only] = asked;
    if (only !== undefined && asked.length === 1) return [await selectOne(database, only)];
    const answers: Row[][] = asked.map(() => []);
    const rows = await selectMany(
      database,
      types.map((type, index) =>
        arrayLiteral(
          type,
          asked.map((parameters) => parameters[index]),
        ),
      ),
    );
    for (const row of rows) answers[row.n]?.push(row);
    return answers;
  }

  const submits = new WeakMap<Queryable, (parameters: Parameters) => Promise<Row[]>>();
  return (database, parameters) => {
    let submit = submits.get(database);
    if (submit === undefined) {
      const run = (asked: Parameters[]) => selectEach(database, asked);
      const bounds = { maxItems: MAX_ITEMS, maxRuns: MAX_RUNS, maxFullRuns: MAX_FULL_RUNS, maxWaiting: MAX_WAITING };
      ({ submit } = createBatcher({ run, ...bounds, answerWithinMs: ANSWER_WITHIN_MS }));
      submits.set(database, submit);
    }
    return submit(parameters);
  };
}

/** How an array's literal has each element; the library would look through all of them for what must be quoted. */
const elementOf: Record<ParameterType, (value: unknown) => string> = {
  uuid: String,
  environment: String,
  integer: String,
  bytea: (value) => `\\\\x${(value as Buffer).toString('hex')}`,
  text: (value) => `"${String(value).replace(/[\\"]/g, '\\$&')}"`,
};

const arrayLiteral = (type: ParameterType, values: unknown[]) => `{${values.map(elementOf[type]).join()}}`;
