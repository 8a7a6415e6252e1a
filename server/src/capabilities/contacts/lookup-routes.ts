import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { listGiftsToAddress } from '../../core/gifts/find/gifts-to-address.ts';
import { GiftSummary } from '../../core/gifts/gift/portal-schema.ts';
import { requirePeople, requirePermission } from '../../faces/portal-access/access.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import { findContact } from './list-contacts.ts';
import { CONTACTS_PATH, requireContact } from './portal-routes.ts';
import { Contact } from './portal-schema.ts';
import { presentContact } from './schema.ts';
import { suggestContacts } from './suggest-contacts.ts';

/** Finding one contact: by its id, or while a person types (docs/contacts.md#in-the-portal). */
export function contactLookupRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${CONTACTS_PATH}/suggestions`,
      operationId: 'suggestContacts',
      tag: 'Contacts',
      summary: 'At most eight contacts that a text finds.',
      access: 'member',
      needs: ['order', 'request'],
      query: Type.Object({
        query: Type.Optional(
          Type.String({ description: 'The beginning of a word of a name, an address or a reference.' }),
        ),
      }),
      response: Type.Object({ data: Type.Array(Contact) }),
    },
    async ({ scope, query, member }) => {
      // A search by the start of an address would tell what is masked.
      requirePeople(member);
      return { data: (await suggestContacts(deps, scope, query.query ?? '')).map(presentContact) };
    },
  );
  register(
    {
      method: 'GET',
      path: `${CONTACTS_PATH}/{contact_id}`,
      operationId: 'showContact',
      tag: 'Contacts',
      summary: 'A contact.',
      access: 'member',
      needs: ['order', 'request'],
      response: Contact,
    },
    async ({ scope, params }) =>
      presentContact(await findContact(deps, admitted(scope), requireContact(params.contact_id))),
  );
  register(
    {
      method: 'GET',
      path: `${CONTACTS_PATH}/{contact_id}/gifts`,
      operationId: 'listGiftsOfContact',
      tag: 'Contacts',
      summary: 'The gifts to the address of a contact, newest first.',
      access: 'member',
      needs: ['order', 'request'],
      keepsToReach: true,
      query: Type.Object(pageQuery),
      response: pageOf(GiftSummary),
    },
    async ({ scope, params, query, member }) => {
      requirePermission(member, 'gifts');
      const { address } = await findContact(deps, admitted(scope), requireContact(params.contact_id));
      const { reach: senders } = member.membership;
      return pageAnswer(await listGiftsToAddress(deps, scope, { address, senders, ...readPage(query) }));
    },
  );
}
