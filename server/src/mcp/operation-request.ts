import { BestowError } from '../errors.ts';
import type { Tool } from './tools.ts';

interface OperationRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

/** Makes the HTTP request of a tool’s operation from its arguments. @throws BestowError `parameter_invalid` for an id */
export function operationRequest(
  { operation, bodyArgument }: Tool,
  { preview_token: token, ...given }: Record<string, unknown>,
): OperationRequest {
  if (operation === undefined) throw new Error('The tool has no operation.');
  const { method, path, query, body: hasBody } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(given, name));
  const rest = Object.entries(given).filter(([name]) => !inPath.includes(name));
  const search = query === undefined ? '' : new URLSearchParams(rest.flatMap(pairsOf)).toString();
  const body = bodyArgument === undefined ? Object.fromEntries(rest) : given[bodyArgument];
  return {
    method,
    url: search === '' ? url : `${url}?${search}`,
    // The token is the order’s idempotency key.
    headers: typeof token === 'string' ? { 'idempotency-key': token } : {},
    ...(hasBody === undefined ? {} : { payload: JSON.stringify(body) }),
  };
}

function idOf(given: Record<string, unknown>, param: string): string {
  const id = given[param];
  if (typeof id === 'string' && /^\w+$/.test(id)) return id;
  throw new BestowError('parameter_invalid', { param, message: `${param} must be an id from an earlier answer.` });
}

/** A map is sent as `name[key]`. */
const pairsOf = ([name, value]: [string, unknown]): [string, string][] => {
  if (value == null) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item)]);
};
