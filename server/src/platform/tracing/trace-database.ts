import type { PoolClient } from 'pg';
import { wrapQuery } from '../base/private-internals.ts';
import type { Tracer } from '../base/tracer.ts';
import type { Database } from '../database/connections.ts';
import type { Queryable } from '../database/statement.ts';

/** A statement's name, or its first word; never its values. */
function nameOf(query: unknown): string {
  const { name, text } = typeof query === 'string' ? { name: undefined, text: query } : (query as Named);
  return name ?? text?.trim().split(/\s/, 1)[0] ?? 'query';
}

interface Named {
  name?: string;
  text?: string;
}

/** Makes a span of every query, with the statement's name. */
function traceQueries(target: Queryable | PoolClient, tracer: Tracer): void {
  wrapQuery(target, (query) => (...parameters) => {
    // The pool itself passes a callback, and then `pg` returns no promise.
    if (typeof parameters.at(-1) === 'function') return query(...parameters);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': nameOf(parameters[0]) };
    const options = { name: nameOf(parameters[0]), kind: 'client', attributes } as const;
    return tracer.span(options, async () => await query(...parameters));
  });
}

export function traceDatabase({ servers, home }: Database, tracer: Tracer): void {
  for (const each of new Set(servers.flatMap(({ read, change }) => [read, change]))) traceQueries(each, tracer);
  for (const each of new Set([home, ...servers.flatMap(({ pool, placement }) => [pool, placement])]))
    each.on('connect', (client) => traceQueries(client, tracer));
}
