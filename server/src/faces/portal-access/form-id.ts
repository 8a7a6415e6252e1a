import { Type } from 'typebox';

/** One form buys once. */
export const FormId = Type.String({
  pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'A random UUID that the form makes when it opens. The order’s idempotency key is made of it.',
  'x-rule': 'must be a UUID in lower case',
});
