import type { PoolClient } from 'pg';
import type { Tracer } from '../base/tracer.ts';
import type { Database } from '../database/connections.ts';
import type { Queryable } from '../database/statement.ts';

type Query = (...parameters: unknown[]) => unknown;

/** Returns a statement's name or its first word, never its values. */
function nameOf(query: unknown): string {
  const { name, text } = typeof query === 'string' ? { name: undefined, text: query } : (query as Named);
  return name ?? text?.trim().split(/\s/, 1)[0] ?? 'query';
}

interface Named {
  name?: string;
  text?: string;
}

/** Wraps every query in a span with the statement's name. */
function traceQueries(queryable: Queryable | PoolClient, tracer: Tracer): void {
  const query = queryable.query.bind(queryable) as Query;
  const traced: Query = (...parameters) => {
    // The pool itself calls with a callback, which returns no promise.
    if (typeof parameters.at(-1) === 'function') return query(...parameters);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': nameOf(parameters[0]) };
    const options = { name: nameOf(parameters[0]), kind: 'client', attributes } as const;
    return tracer.span(options, async () => await query(...parameters));
  };
  queryable.query = traced as typeof queryable.query;
}

export function traceDatabase({ read, changes, pool, placement }: Database, tracer: Tracer): void {
  traceQueries(read, tracer);
  for (const each of [changes, pool, placement]) each.on('connect', (client) => traceQueries(client, tracer));
}
