import { type Static, Type } from 'typebox';
import { refTo } from '../../platform/api/schema.ts';

const Category = Type.Object(
  {
    id: Type.String({ description: 'Send it as a gift’s `category`.', examples: ['coffee'] }),
    name: Type.String({ description: 'The name that people see.', examples: ['Coffee'] }),
    description: Type.String({ description: 'A short text on whom it suits.' }),
    artwork: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'URL of the card’s artwork; null without artwork.',
    }),
    product_details_url: Type.String({ description: 'A public page about this category.' }),
  },
  { $id: 'Category', description: 'Something that can be given.' },
);
export type CategoryBody = Static<typeof Category>;

export const CategoryList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(refTo(Category), { description: 'The whole catalog.' }),
    has_more: Type.Boolean({ description: 'Always false: the catalog is one page.' }),
  },
  { $id: 'CategoryList', description: 'The catalog.' },
);
