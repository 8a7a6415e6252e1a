import { readTime } from 'bestow-readers/time.ts';
import { type TSchema, Type } from 'typebox';
import { nullable, Time } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import type { SearchPage } from '../../platform/paging/read-page.ts';

/** Of two ids. */
const MAX_CURSOR_LENGTH = 80;
const PAGE_SIZE = 25;

export const Moment = Type.String({
  maxLength: 24,
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$',
});
const Cursor = Type.Optional(Type.String({ maxLength: MAX_CURSOR_LENGTH }));

/** Query parameters of a list by time: from `from`, before `to`. */
export const periodQuery = { from: Type.Optional(Moment), to: Type.Optional(Moment) };

/** Query parameters of a paged list: `after` leads to older rows, `before` to newer rows. */
export const pageQuery = {
  order: Type.Optional(
    Type.Literal('oldest', { description: 'Begins with the oldest rows. Each page is newest first.' }),
  ),
  after: Cursor,
  before: Cursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

interface PageQuery {
  order?: 'oldest' | undefined;
  after?: string | undefined;
  before?: string | undefined;
  limit?: number | undefined;
}

/** @throws BestowError `parameter_invalid` */
export function readPage({ order, after, before, limit = PAGE_SIZE }: PageQuery) {
  if (after !== undefined && before !== undefined)
    throw new BestowError('parameter_invalid', {
      param: 'before',
      message: 'after and before cannot be used together.',
    });
  return { after, before, limit, isOldestFirst: order === 'oldest' };
}

/** @throws BestowError `parameter_invalid` */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return { from: readParameter('from', from), to: readParameter('to', to) };
}

/** @throws BestowError `parameter_invalid` */
export function readParameter(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = readTime(text);
  if (time === undefined)
    throw new BestowError('parameter_invalid', { param: name, message: `${name} is not a time.` });
  return time;
}

/** The answer with the total of a list. */
export const ListTotal = Type.Object(
  {
    count: Type.Integer(),
    amount: Type.Integer(),
    newest: nullable(Type.Integer({ description: 'Set if only so many newest rows were looked at.' })),
  },
  { $id: 'ListTotal' },
);

/** The answer of a paged list. */
export const pageOf = <Row extends TSchema>(row: Row) =>
  Type.Object({
    data: Type.Array(row),
    older: nullable(Type.String({ description: '`after` of the next older page.' })),
    newer: nullable(Type.String({ description: '`before` of the next newer page.' })),
    searched_to: nullable(Time),
  });

export const pageAnswer = <Row>({ rows, ...more }: SearchPage<Row>) => ({ data: rows, ...more });
