import { DAY_OF_YEAR } from 'bestow-readers/written-day.ts';
import { type Static, Type } from 'typebox';
import { externalId } from '../../core/gifts/gift/reference-schema.ts';
import {
  EmailDelivery,
  giftLanguage,
  oneOfDeliveries,
  PhoneDelivery,
  type RedirectBody,
  recipientName,
} from '../../core/gifts/gift/schema.ts';
import { Name, nameRule, nullable, openText, refTo, Time } from '../../platform/api/schema.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { EndedGifts } from '../yearly-gifts/end-unsent.ts';
import type { ContactRow } from './queries.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** contact */
    con: true;
  }
}

const MOST_TAGS = 20;

const day = (what: string, example: string) =>
  Type.String({
    pattern: DAY_OF_YEAR,
    description: `${what}, as YYYY-MM-DD, or as MM-DD without the year.`,
    examples: [example],
    'x-rule': 'must be a day such as 1985-03-14, or 03-14 without the year',
  });

const Tag = Type.String({
  ...Name,
  maxLength: 60,
  'x-portable-pattern': '^\\S([^\\r\\n]*\\S)?$',
  description: 'One line of 1 to 60 characters.',
  examples: ['berlin'],
  'x-rule': nameRule(60),
});

const tags = Type.Array(Tag, {
  maxItems: MOST_TAGS,
  description: 'All tags of the contact, at most 20; earlier ones are replaced.',
  'x-rule': `must be at most ${MOST_TAGS} texts`,
});

const ContactDeliveryInput = oneOfDeliveries<RedirectBody>(
  'ContactDeliveryInput',
  'The address of the contact. No other contact of the environment has it.',
  [EmailDelivery, PhoneDelivery],
);

/** The order of fields is the order of their checks. */
export const contactFields = {
  delivery: refTo(ContactDeliveryInput),
  name: Type.Optional(nullable(recipientName)),
  language: Type.Optional(nullable(giftLanguage)),
  tags: Type.Optional(tags),
  external_id: Type.Optional(nullable(externalId('No other contact of the environment has it.'))),
  birthday: Type.Optional(nullable(day('The birthday', '1985-03-14'))),
  work_anniversary: Type.Optional(nullable(day('The first day of work', '2021-09-01'))),
};

export const ContactInput = Type.Object(contactFields, {
  $id: 'ContactInput',
  description: 'A contact. A field that is left out stays as it is; `null` removes it, and `[]` all tags.',
  additionalProperties: false,
});
export type ContactInputBody = Static<typeof ContactInput>;
/** Of a contact that is named otherwise. */
export type ContactChangeBody = Partial<ContactInputBody>;

export const ContactDelivery = Type.Object(
  {
    method: openText(['email', 'phone'], 'How gifts reach the contact.'),
    email: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String({ description: 'In E.164.' })),
  },
  { $id: 'ContactDelivery', description: 'The address of a contact.' },
);

const shown = {
  contact_id: Type.String(),
  delivery: refTo(ContactDelivery),
  name: nullable(Type.String()),
  language: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  external_id: nullable(Type.String()),
  birthday: nullable(Type.String()),
  work_anniversary: nullable(Type.String()),
  created_at: Time,
  changed_at: Time,
};

export const Contact = Type.Object(shown, {
  $id: 'Contact',
  description: 'A person to whom the organization sends gifts.',
});
export const ContactList = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(refTo(Contact)), has_more: Type.Boolean() },
  { $id: 'ContactList', description: 'A page of contacts, the newest first.' },
);
export const DeletedContact = Type.Object(
  {
    contact_id: Type.String(),
    deleted: Type.Literal(true),
    canceled_gifts: Type.Array(Type.String(), { description: 'Gifts that were ordered and not sent.' }),
    refunded: Type.Integer({ format: 'int64', description: 'The cents that are back in the balance.' }),
    withdrawn_requests: Type.Array(Type.String(), { description: 'Requests that were open.' }),
  },
  { $id: 'DeletedContact', description: 'What was deleted, and what is not sent because of it.' },
);

type DeletedContact = Static<typeof DeletedContact>;

export const presentContact = (row: ContactRow): Static<typeof Contact> => ({
  contact_id: encodeId('con', row.contact_id),
  delivery: row.method === 'email' ? { method: 'email', email: row.address } : { method: 'phone', phone: row.address },
  name: row.name,
  language: row.language,
  tags: row.tags,
  external_id: row.external_id,
  birthday: row.birthday,
  work_anniversary: row.work_anniversary,
  created_at: row.created_at,
  changed_at: row.changed_at,
});

export const presentRemoval = (
  contactId: string,
  { giftIds, refundedCents, requestIds }: EndedGifts,
): DeletedContact => ({
  contact_id: contactId,
  deleted: true,
  canceled_gifts: giftIds.map((id) => encodeId('gift', id)),
  refunded: refundedCents,
  withdrawn_requests: requestIds.map((id) => encodeId('ask', id)),
});
