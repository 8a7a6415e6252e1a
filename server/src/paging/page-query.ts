import { type Static, Type } from 'typebox';

const cursor = (direction: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      minLength: 1,
      description: `An id of this list: the page holds what comes ${direction} it. Not together with the other cursor.`,
    }),
  );

/** For the document; `parsePageRequest` is what reads a query. Apart from it, so that commands do without TypeBox. */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'How many to return, 1 to 100.' }),
  ),
  starting_after: cursor('after (older than)'),
  ending_before: cursor('before (newer than)'),
});
export type PageQuery = Static<typeof PageQuery>;
