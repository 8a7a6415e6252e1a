import { Type } from 'typebox';
import { EmailDelivery } from '../../core/gifts/gift/schema.ts';
import { Name } from '../../platform/api/schema.ts';
import { Role } from '../../platform/authentication/role-schema.ts';

/** Why an operator acts. It is in the operator's log, and in the organization's if the act changes it. */
export const Reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  'x-rule': 'must be a reason of 3 to 500 characters',
});

const email = (description: string) => Type.Unsafe<string>({ ...EmailDelivery.properties.email, description });

/** What input and answers of the page are made of. Only the page loads it: for a command it would take 0.1 s. */
export const schemas = { email, Name, Reason, Role, Type };

export type Schemas = typeof schemas;
