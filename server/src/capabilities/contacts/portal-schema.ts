import { type Static, Type } from 'typebox';
import { AddressToSend } from '../../core/gifts/gift/portal-schema.ts';
import { ADDRESS_OF_PERSON, TEXT_OF_PERSON } from '../../platform/api/mask-people.ts';
import { nullable, oneOf } from '../../platform/api/schema.ts';
import { UnsentOutcome } from '../yearly-gifts/schema.ts';
import {
  ContactDelivery,
  type ContactInputBody,
  Contact as ContactOfApi,
  contactFields,
  DeletedContact,
} from './schema.ts';

// The portal's document has no names of `/v1`.

const { method } = ContactDelivery.properties;
const address = Type.Optional(Type.String(ADDRESS_OF_PERSON));
/** Rows of a file. */
const MOST_OF_FILE = 10_000;

const text = nullable(Type.String(TEXT_OF_PERSON));

export const Contact = Type.Object(
  {
    ...ContactOfApi.properties,
    delivery: Type.Object({ method, email: address, phone: address }),
    name: text,
    external_id: text,
    birthday: text,
    work_anniversary: text,
  },
  { $id: 'Contact' },
);

export const ContactToSave = Type.Object(
  { ...contactFields, delivery: AddressToSend },
  { additionalProperties: false },
);

/** What is left out stays as it is. */
export const ContactChange = Type.Object(
  { ...contactFields, delivery: Type.Optional(AddressToSend) },
  { additionalProperties: false },
);

export const SavedContact = Type.Object({ ...Contact.properties, unsent: UnsentOutcome }, { $id: 'SavedContact' });

export const ContactIds = Type.Object(
  { contact_ids: Type.Array(Type.String(), { minItems: 1, maxItems: MOST_OF_FILE }) },
  { additionalProperties: false },
);

export const RemovedContact = Type.Object(DeletedContact.properties, { $id: 'RemovedContact' });

/** A row has at most 3 kB, a body a megabyte. */
const MOST_ROWS = 200;

/** Rows as they came: the act checks each, so that an error can name the row and the column. */
export const RowsOfFile = Type.Array(
  Type.Unsafe<ContactInputBody>({
    type: 'object',
    additionalProperties: true,
    description: 'A contact, as in `addContact`.',
  }),
  { minItems: 1, maxItems: MOST_ROWS, 'x-rule': `must be a list of 1 to ${MOST_ROWS} rows` },
);

export const ImportedContacts = Type.Object(
  {
    added: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Array(
      Type.Object({
        row: Type.Integer({ description: 'Its index in the request.' }),
        column: nullable(Type.String()),
        message: Type.String(),
      }),
    ),
    unsent: UnsentOutcome,
  },
  { $id: 'ImportedContacts' },
);
export type ImportedContacts = Static<typeof ImportedContacts>;

export const CheckedContacts = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        outcome: oneOf('added', 'changed', 'unchanged', 'refused'),
        contact_id: nullable(Type.String({ description: 'The contact that the row is.' })),
        column: nullable(Type.String()),
        message: nullable(Type.String()),
        changes: Type.Array(Type.String(), { description: 'Fields of a contact that it changes.' }),
      }),
    ),
  },
  { $id: 'CheckedContacts', description: 'What importing each row would do, in their order.' },
);
export type CheckedContacts = Static<typeof CheckedContacts>;

const ids = Type.Array(Type.String(), { maxItems: MOST_OF_FILE });

export const MissingSearch = Type.Object({
  in_file: ids,
  left: ids,
  left_out: Type.Optional(
    Type.Object(
      { addresses: ids, external_ids: ids },
      { description: 'What rows that are not imported have: these people are in the file too.' },
    ),
  ),
  among: oneOf('none', 'all'),
  tag: Type.Optional(Type.String({ description: 'Only contacts with this tag should be in the file.' })),
});

export const MissingContacts = Type.Object(
  {
    data: Type.Array(Contact),
    count: Type.Integer({ description: 'Of all; `data` has at most 200.' }),
  },
  { $id: 'MissingContacts', description: 'Contacts that a file does not have, or of people who left.' },
);

const MOST_SETTLED = 200;

export const MissingSettlement = Type.Object({
  contacts: Type.Array(
    Type.Object(
      { contact_id: Type.String(), changed_at: Type.String({ description: 'As a person saw it.' }) },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: MOST_SETTLED },
  ),
  act: oneOf('delete', 'remove_tag'),
  unsent_gifts: Type.Optional(oneOf('cancel', 'keep')),
  tag: Type.Optional(Type.String()),
});

export const SettledContacts = Type.Object(
  {
    done: Type.Integer(),
    stayed: Type.Array(
      Type.String({ description: 'A contact that was saved since, or that the member may not change.' }),
    ),
    unsent: UnsentOutcome,
  },
  { $id: 'SettledContacts' },
);
