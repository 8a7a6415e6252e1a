import type { QueryConfig, QueryResultRow } from 'pg';

/** A pool, a client or the pipelined reader. */
export interface Queryable {
  // biome-ignore lint/suspicious/noExplicitAny: the statement determines the row's type
  query<Row extends QueryResultRow = any>(query: QueryConfig): Promise<{ rows: Row[] }>;
}

/** Every statement of the service by its name, so that tests can prepare each against the migrated schema. */
export const statements = new Map<string, string>();

/**
 * One static SQL statement as a function: `selectGift(database, [organizationId, environment, giftId])` → rows. It is
 * prepared once on each connection, under its name.
 *
 * @param name entity and operation, such as `gifts.select`; unique
 * @param text lower-case SQL with numbered parameters only
 */
export function statement<Parameters extends readonly unknown[], Row extends QueryResultRow = never>(
  name: string,
  text: string,
): (database: Queryable, parameters: Parameters) => Promise<Row[]> {
  if (statements.has(name)) throw new Error(`Two statements are called ${name}.`);
  statements.set(name, text);
  return async (database, parameters) => {
    const { rows } = await database.query<Row>({ name, text, values: parameters as unknown as unknown[] });
    return rows;
  };
}
