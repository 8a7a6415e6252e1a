import type { QueryConfig, QueryResultRow } from 'pg';
import { rethrow } from './lost-commit.ts';
import { ALL_ORGANIZATIONS, NO_ORGANIZATION } from './name-organizations.ts';

/** `organizations`: those whose rows the statement may see, separated by commas. */
export type OrganizationQuery = QueryConfig & { organizations?: string };

/** A pool, a client or the pipelined reader. */
export interface Queryable {
  /** The connections to an organization's shard; undefined if these are to one server. */
  of?(organizationId: string): Queryable;
  // biome-ignore lint/suspicious/noExplicitAny: the statement determines the row's type
  query<Row extends QueryResultRow = any>(query: OrganizationQuery): Promise<{ rows: Row[] }>;
}

/** Every statement of the service by its name, so that tests can prepare each against the migrated schema. */
export const statements = new Map<string, string>();
/** The reason of each statement that is not for one organization, by the statement's name. */
export const exceptions = new Map<string, string>();

type Run<Databases, Parameters, Row> = (databases: Databases, parameters: Parameters) => Promise<Row[]>;

/** People belong to no organization. */
const isAboutOrganizations = (text: string) => /\borganization_id\b/.test(text) && !/\bportal\./.test(text);

/**
 * One static SQL statement as a function: `selectGift(database, [organizationId, environment, giftId])` → rows. It is
 * prepared once on each connection, under its name. It reads and writes one organization, as `organization_id = $1`, by
 * which its shard is found.
 *
 * @param name entity and operation, such as `gifts.select`; unique
 * @param text lower-case SQL with numbered parameters only; its result has no `*`, which a later release would widen
 */
export function statement<Parameters extends readonly unknown[], Row extends QueryResultRow = never>(
  name: string,
  text: string,
): Run<Queryable, Parameters, Row> {
  const run = define<Parameters, Row>(name, text);
  const isOfOrganization = isAboutOrganizations(text);
  return (database, parameters) =>
    run(database, parameters, isOfOrganization ? String(parameters[0]) : NO_ORGANIZATION);
}

function define<Parameters extends readonly unknown[], Row extends QueryResultRow>(name: string, text: string) {
  if (statements.has(name)) throw new Error(`Two statements are called ${name}.`);
  statements.set(name, text);
  return async (database: Queryable, parameters: Parameters, organizations: string): Promise<Row[]> => {
    const values = parameters as unknown as unknown[];
    const { rows } = await database.query<Row>({ name, text, values, organizations }).catch(rethrow);
    return rows;
  };
}

/** A statement of no organization: about the session, or on tables that are the same on every shard. */
export function statementOfNone<Parameters extends readonly unknown[], Row extends QueryResultRow = never>(
  name: string,
  text: string,
): Run<Queryable, Parameters, Row> {
  exceptions.set(name, 'of no organization');
  const run = define<Parameters, Row>(name, text);
  return (database, parameters) => run(database, parameters, NO_ORGANIZATION);
}

/** A statement for several organizations of one shard, which the caller names. */
export function statementOfSeveral<Parameters extends readonly unknown[], Row extends QueryResultRow = never>(
  name: string,
  text: string,
): (database: Queryable, parameters: Parameters, organizationIds: readonly string[]) => Promise<Row[]> {
  exceptions.set(name, 'of organizations of one shard');
  const run = define<Parameters, Row>(name, text);
  return (database, parameters, organizationIds) =>
    run(database, parameters, [...new Set(organizationIds)].sort().join(','));
}

interface OnEachShard<Parameters, Row> {
  (shards: readonly Queryable[], parameters: Parameters): Promise<Row[]>;
  /** Returns the first row that a shard has. Fails only if none has one and a shard does not answer. */
  find: (shards: readonly Queryable[], parameters: Parameters) => Promise<Row | undefined>;
  /** Returns the rows of the shards that answer. Fails only if none does. */
  ofLiving: Run<readonly Queryable[], Parameters, Row>;
}

/**
 * A statement for rows of all organizations: runs on each shard (`database.shards`) separately, and joins the rows. After a
 * failure the other shards still run, so a write must be safe to repeat.
 *
 * @param reason why the statement is not for one organization
 */
export function statementOnEachShard<Parameters extends readonly unknown[], Row extends QueryResultRow = never>(
  name: string,
  reason: string,
  text: string,
): OnEachShard<Parameters, Row> {
  const run = define<Parameters, Row>(name, text);
  exceptions.set(name, reason);
  const ask = async (shards: readonly Queryable[], parameters: Parameters) => {
    const results = await Promise.allSettled(shards.map((shard) => run(shard, parameters, ALL_ORGANIZATIONS)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const rows = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    return { rows, failures };
  };
  const each = async (shards: readonly Queryable[], parameters: Parameters) => {
    const { rows, failures } = await ask(shards, parameters);
    if (failures.length > 0) throw failures[0];
    return rows;
  };
  return Object.assign(each, {
    async find(shards: readonly Queryable[], parameters: Parameters) {
      const { rows, failures } = await ask(shards, parameters);
      if (rows.length === 0 && failures.length > 0) throw failures[0];
      return rows[0];
    },
    async ofLiving(shards: readonly Queryable[], parameters: Parameters) {
      const { rows, failures } = await ask(shards, parameters);
      if (failures.length === shards.length) throw failures[0];
      return rows;
    },
  });
}
