import { type Static, Type } from 'typebox';

const Parameter = Type.Optional(Type.String({ minLength: 1, maxLength: 300 }));

/** The parameters of the list's address, which reads them each time. */
export const GiftViewSearch = Type.Object(
  {
    query: Parameter,
    status: Parameter,
    method: Parameter,
    category: Parameter,
    from: Parameter,
    to: Parameter,
    order: Parameter,
    columns: Parameter,
  },
  { $id: 'GiftViewSearch', additionalProperties: false },
);
export type GiftViewSearch = Static<typeof GiftViewSearch>;

export const ViewName = Type.String({ minLength: 1, maxLength: 60, 'x-rule': 'must have 1 to 60 characters' });

export const GiftViews = Type.Object(
  {
    data: Type.Array(Type.Object({ name: Type.String(), search: GiftViewSearch }), { description: 'Oldest first.' }),
  },
  { $id: 'GiftViews' },
);
