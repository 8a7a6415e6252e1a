import { readTime } from 'bestow-readers/time.ts';
import { Type } from 'typebox';
import { BestowError } from '../base/errors.ts';

/** Reads one parameter of a query. */
type Query = Readonly<Record<string, unknown>>;

export const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-11-01T00:00:00Z'] }));

/** The times of every filtered list of `/v1`, for the document. */
export const createdQuery = {
  created_after: time('Created later than this time (RFC 3339).'),
  created_before: time('Created earlier than this time (RFC 3339).'),
};

export const choice = (values: readonly string[], description: string) =>
  Type.Optional(Type.Unsafe<string>({ type: 'string', enum: values, description }));

export const invalid = (param: string, message: string) => new BestowError('parameter_invalid', { param, message });

const MAX_LENGTH = 255;

export const text = (description: string, limits: { maxLength?: number; pattern?: string } = {}) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_LENGTH, ...limits, description }));

/** Counts characters as JSON Schema does, not UTF-16 units. */
export const hasAtMost = (most: number, value: string) => value.length <= 2 * most && [...value].length <= most;

/** @throws BestowError `parameter_invalid` if the parameter is repeated, empty, too long or fails the test */
export function readText(
  query: Query,
  param: string,
  rule = 'must be one text of 1 to 255 characters.',
  isValid: (value: string) => boolean = (value) => hasAtMost(MAX_LENGTH, value),
): string | undefined {
  const value = query[param];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '' && !value.includes('\0') && isValid(value)) return value;
  throw invalid(param, `${param} ${rule}`);
}

/** @throws BestowError `parameter_invalid` */
export function readChoice<const Value extends string>(
  query: Query,
  param: string,
  values: readonly Value[],
): Value | undefined {
  const value = readText(query, param, `must be one of ${values.join(', ')}.`, (one) => values.some((v) => v === one));
  return value as Value | undefined;
}

const RULE = 'must be a time such as 2026-11-01T00:00:00Z.';

const isTime = (value: string) => readTime(value) !== undefined;

/** In a query, a `+` stands for a blank. */
const hasLostPlus = (value: unknown) => typeof value === 'string' && isTime(value.replace(' ', '+'));

/** @throws BestowError `parameter_invalid` */
export function readTimeParameter(query: Query, param: string): Date | undefined {
  const rule = hasLostPlus(query[param]) ? `${RULE} Write its + as %2B.` : RULE;
  const value = readText(query, param, rule, isTime);
  return value === undefined ? undefined : readTime(value);
}

/** As the page's range, which begins with its first millisecond. @throws BestowError `parameter_invalid` */
export function readCreated(query: Query, what = 'created'): { from: Date | undefined; to: Date | undefined } {
  const after = readTimeParameter(query, `${what}_after`);
  const before = readTimeParameter(query, `${what}_before`);
  return { from: after && new Date(after.getTime() + 1), to: before };
}
