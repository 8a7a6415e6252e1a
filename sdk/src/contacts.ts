import { type ContactParams, type List, listOf } from './list.ts';
import type { Category, Contact, ContactInput, DeletedContact } from './resources.ts';
import type { Answer, CallOptions, Connection } from './send.ts';

type Unsent = { unsent_gifts?: 'cancel' | 'keep' };

/** The people to whom the organization sends gifts. */
export const contactsOf = (connection: Connection) => ({
  /** Adds a contact, or changes the one with the same `external_id` or address. */
  save: (body: ContactInput, options?: CallOptions): Promise<Answer<Contact>> =>
    connection.call('saveContact', { body }, options),
  /** @throws InvalidRequestError `resource_missing` */
  retrieve: (contactId: string, options?: CallOptions): Promise<Answer<Contact>> =>
    connection.call('retrieveContact', { ids: [contactId] }, options),
  /** Newest first. */
  list: (params?: ContactParams, options?: CallOptions): List<Contact> =>
    listOf(connection, { id: 'listContacts', idOf: ({ contact_id }: Contact) => contact_id }, params, options),
  /** Gifts that are not sent are canceled, unless they are kept. @throws InvalidRequestError `resource_missing` */
  delete: (contactId: string, params: Unsent = {}, options?: CallOptions): Promise<Answer<DeletedContact>> =>
    connection.call('deleteContact', { ids: [contactId], query: params }, options),
});

/** The catalog. */
export const categoriesOf = (connection: Connection) => ({
  /** The whole catalog, on one page. */
  list: (options?: CallOptions): List<Category> =>
    listOf(connection, { id: 'listCategories', idOf: ({ id }: Category) => id, walked: {} }, {}, options),
});
