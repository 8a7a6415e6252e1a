import { Type } from 'typebox';
import { EmailDelivery } from '../../core/gifts/gift/schema.ts';
import { Name, nullable, Time } from '../../platform/api/schema.ts';
import { Role } from '../../platform/authentication/role-schema.ts';

/** Why an operator acts. It is in the operator's log, and in the organization's if the act changes it. */
export const Reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  'x-rule': 'must be a reason of 3 to 500 characters',
});

/** A category of the catalog, also a retired one. */
export const Category = Type.Object(
  {
    category_id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    artwork: nullable(Type.String()),
    product_details_url: nullable(Type.String()),
    position: Type.Integer(),
    retired_at: nullable(Time),
  },
  { $id: 'CatalogCategory' },
);

const email = (description: string) => Type.Unsafe<string>({ ...EmailDelivery.properties.email, description });

/** What input and answers of the page are made of. Only the page loads it: for a command it would take 0.1 s. */
export const schemas = { Category, email, Name, nullable, Reason, Role, Type };

export type Schemas = typeof schemas;
