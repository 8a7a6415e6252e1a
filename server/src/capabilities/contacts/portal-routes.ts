import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { requirePeople } from '../../faces/portal-access/access.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { csvReply } from '../../platform/http/csv-reply.ts';
import { changerOf } from '../yearly-gifts/changer.ts';
import { nothingEnded, presentOutcome } from '../yearly-gifts/end-unsent.ts';
import { ChoiceQuery, UnsentQuery } from '../yearly-gifts/schema.ts';
import { showUnsent, UnsentGifts } from '../yearly-gifts/show-unsent.ts';
import { removeContact, saveContact } from './change-contact.ts';
import { contactExportColumns, exportContacts } from './export-contacts.ts';
import { searchContacts } from './list-contacts.ts';
import { Contact, ContactChange, ContactIds, ContactToSave, RemovedContact, SavedContact } from './portal-schema.ts';
import { selectSame, selectTags } from './queries.ts';
import { presentContact, presentRemoval } from './schema.ts';

export const CONTACTS_PATH = '/organizations/{organization_id}/{environment}/contacts';

const filterQuery = {
  query: Type.Optional(Type.String({ description: 'The beginning of a word of a name, an address or a reference.' })),
  tag: Type.Optional(Type.String()),
};

const filtersOf = ({ query, tag }: { query?: string | undefined; tag?: string | undefined }) => ({ text: query, tag });

/** @throws BestowError `not_found` */
export function requireContact(id: string): string {
  const contactId = decodeId('con', id);
  if (contactId === undefined) throw new BestowError('not_found');
  return contactId;
}

/** Contacts (docs/contacts.md). */
export function contactRoutes(register: Register, deps: Deps): void {
  addReadRoutes(register, deps);
  addChangeRoutes(register, deps);
  addUnsentRoute(register, deps);
}

function addReadRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: CONTACTS_PATH,
      operationId: 'listContacts',
      tag: 'Contacts',
      summary: 'The matching contacts, newest first.',
      access: 'member',
      needs: ['order', 'request'],
      query: Type.Object({ ...filterQuery, ...pageQuery }),
      response: pageOf(Contact),
    },
    async ({ scope, query, member }) => {
      // A search by parts of an address would tell what is masked.
      if (query.query !== undefined) requirePeople(member);
      const { rows, ...more } = await searchContacts(deps, scope, { ...readPage(query), filters: filtersOf(query) });
      return pageAnswer({ ...more, rows: rows.map(presentContact) });
    },
  );
  register(
    {
      method: 'GET',
      path: `${CONTACTS_PATH}/tags`,
      operationId: 'listContactTags',
      tag: 'Contacts',
      summary: 'The tags of contacts, most used first.',
      access: 'member',
      needs: ['order', 'request'],
      response: Type.Object({ data: Type.Array(Type.Object({ tag: Type.String(), contacts: Type.Integer() })) }),
    },
    async ({ scope }) => ({
      data: await selectTags(deps.database.read, [scope.organizationId, scope.environment]),
    }),
  );
  register(
    {
      method: 'GET',
      path: `${CONTACTS_PATH}.csv`,
      operationId: 'exportContacts',
      tag: 'Contacts',
      summary: 'All matching contacts as a file.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      query: Type.Object(filterQuery),
      file: 'text/csv',
    },
    async ({ scope, query, reply, member }) => {
      requirePeople(member);
      const rows = await exportContacts(deps, scope, { filters: filtersOf(query), actor: member.actor });
      const { currency } = deps.config;
      return csvReply(reply, deps.log, `contacts-${scope.environment}`, {
        columns: contactExportColumns,
        rows,
        currency,
      });
    },
  );
}

function addChangeRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: CONTACTS_PATH,
      operationId: 'addContact',
      tag: 'Contacts',
      summary: 'Adds a contact; refused if one has the reference or the address.',
      access: 'member',
      needs: 'settings',
      body: ContactToSave,
      response: SavedContact,
    },
    async ({ scope, body, member, session }) => {
      const changer = changerOf(deps, member, session);
      const change = { caller: admitted(scope), actor: member.actor, input: body, changer, isNew: true };
      return presentSaved(await saveContact(deps, change));
    },
  );
  register(
    {
      method: 'PUT',
      path: `${CONTACTS_PATH}/{contact_id}`,
      operationId: 'changeContact',
      tag: 'Contacts',
      summary: 'Changes the fields of a contact that are given.',
      access: 'member',
      needs: 'settings',
      query: ChoiceQuery,
      body: ContactChange,
      response: SavedContact,
    },
    async ({ scope, params, query, body, member, session }) => {
      const contactId = requireContact(params.contact_id);
      const change = {
        caller: admitted(scope),
        actor: member.actor,
        input: body,
        contactId,
        changer: changerOf(deps, member, session),
        unsentGifts: query.unsent_gifts,
      };
      return presentSaved(await saveContact(deps, change));
    },
  );
  register(
    {
      method: 'DELETE',
      path: `${CONTACTS_PATH}/{contact_id}`,
      operationId: 'removeContact',
      tag: 'Contacts',
      summary: 'Deletes a contact. Gifts to it that are not sent are canceled.',
      access: 'member',
      needs: 'settings',
      query: UnsentQuery,
      response: RemovedContact,
    },
    async ({ scope, params, query, member, session }) => {
      const ended = await removeContact(deps, {
        caller: admitted(scope),
        actor: member.actor,
        contactId: requireContact(params.contact_id),
        changer: changerOf(deps, member, session),
        keepsUnsent: query.unsent_gifts === 'keep',
      });
      return presentRemoval(params.contact_id, ended);
    },
  );
}

const presentSaved = ({ contact, followed }: Awaited<ReturnType<typeof saveContact>>) => ({
  ...presentContact(contact),
  unsent: presentOutcome(followed ?? nothingEnded(), followed?.moved ?? 0),
});

function addUnsentRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${CONTACTS_PATH}/unsent-gifts`,
      operationId: 'findUnsentGiftsOfContacts',
      tag: 'Contacts',
      summary: 'What is ordered or asked for contacts, and is not sent.',
      access: 'member',
      needs: 'settings',
      body: ContactIds,
      response: UnsentGifts,
    },
    async ({ scope, body, member, session }) => {
      const ids = body.contact_ids.map(requireContact);
      const contacts = await selectSame(deps.database.pool, [scope.organizationId, scope.environment, ids, [], []]);
      const whose = {
        contactIds: contacts.map(({ contact_id }) => contact_id),
        addresses: contacts.map(({ address }) => address),
      };
      return showUnsent(deps, scope, whose, changerOf(deps, member, session));
    },
  );
}
