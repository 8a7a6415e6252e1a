import type { Operation } from '../../platform/api/operation.ts';
import { BestowError } from '../../platform/base/errors.ts';

export type Arguments = Record<string, unknown>;

interface OperationRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

export interface CallOptions {
  /** The argument that is the whole body; undefined if the body's fields are arguments. */
  bodyArgument?: string | undefined;
  idempotencyKey?: unknown;
}

/** Makes the HTTP request of an operation from a tool's arguments. @throws BestowError `parameter_invalid` for an id, a key or a value of a map */
export function operationRequest(
  { method, path, query, body: hasBody }: Operation,
  given: object,
  { bodyArgument, idempotencyKey }: CallOptions,
): OperationRequest {
  const all = given as Arguments;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(all, name));
  const inQuery = Object.keys(query?.properties ?? {});
  const others = Object.entries(all).filter(([name]) => !inPath.includes(name));
  const search = new URLSearchParams(others.filter(([name]) => inQuery.includes(name)).flatMap(pairsOf)).toString();
  const rest = others.filter(([name]) => !inQuery.includes(name));
  const body = bodyArgument === undefined ? Object.fromEntries(rest) : all[bodyArgument];
  return {
    method,
    url: search === '' ? url : `${url}?${search}`,
    headers: idempotencyKey == null ? {} : { 'idempotency-key': keyOf(idempotencyKey) },
    ...(hasBody === undefined ? {} : { payload: JSON.stringify(body) }),
  };
}

function idOf(given: Arguments, param: string): string {
  const id = given[param];
  if (typeof id === 'string' && /^\w+$/.test(id)) return id;
  throw new BestowError('parameter_invalid', { param, message: `${param} must be an id from an earlier answer.` });
}

function keyOf(key: unknown): string {
  if (typeof key === 'string' && /^[ -~]{1,255}$/.test(key)) return key;
  const param = 'idempotency_key';
  throw new BestowError('parameter_invalid', {
    param,
    message: `${param} must be 1 to 255 printable ASCII characters.`,
  });
}

/** A map is sent as `name[key]`. */
const pairsOf = ([name, value]: [string, unknown]): [string, string][] => {
  if (value == null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).map(([key, item]) => {
    if (typeof item !== 'object') return [`${name}[${key}]`, String(item)];
    throw new BestowError('parameter_invalid', { param: name, message: `Each value of ${name} must be a text.` });
  });
};
