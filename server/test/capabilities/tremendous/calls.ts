import { Refusal } from './refusal.ts';
import type { State } from './state.ts';

export interface Call {
  query: URLSearchParams;
  id: string;
  body: unknown;
}

export interface Answer {
  status: number;
  body: object;
}

/** By method and path below `/api/v2`, with `ID` for an id. */
export type Handlers = Record<string, (state: State, call: Call) => Answer>;

/** Answers with a body of a type of the package. */
export const answer = <Body extends object>(body: Body, status = 200): Answer => ({ status, body });

/** Reads `offset` and `limit` and takes this page. @throws Refusal */
export function page<Item>(
  items: Item[],
  query: URLSearchParams,
  limits: { default: number; maximum?: number },
): Item[] {
  const offset = wholeNumber(query, 'offset', 0);
  const limit = wholeNumber(query, 'limit', limits.default);
  if (limit > (limits.maximum ?? limit)) throw invalid('limit', `The maximum is ${limits.maximum}.`);
  return items.slice(offset, offset + limit);
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name) ?? String(fallback);
  if (!/^\d{1,9}$/.test(text)) throw invalid(name, 'This is not a whole number.');
  return Number(text);
}

/** Whether a time lies between `field[gte]` and `field[lte]`. An undefined time lies in no given bounds. @throws Refusal */
export function isWithin(query: URLSearchParams, field: string, time: string | undefined): boolean {
  const bound = (name: string): number | undefined => {
    const text = query.get(`${field}[${name}]`);
    const milliseconds = Date.parse(text ?? '');
    if (text !== null && Number.isNaN(milliseconds))
      throw invalid(`${field}[${name}]`, 'This is not an ISO 8601 time.');
    return text === null ? undefined : milliseconds;
  };
  const [from, to] = [bound('gte'), bound('lte')];
  const at = Date.parse(time ?? '');
  return (from === undefined || at >= from) && (to === undefined || at <= to);
}

const invalid = (name: string, problem: string) => new Refusal(400, 'A parameter is not valid.', { [name]: problem });
