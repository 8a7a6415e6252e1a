import { type Static, Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { readRecipient, recipientQuery } from '../../core/gifts/find/read-filters.ts';
import type { AddRoute } from '../../platform/api/operation.ts';
import { idParameter, requireId } from '../../platform/api/require-id.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { choice, readChoice, readText, text } from '../../platform/paging/list-filters.ts';
import { PageQuery, parsePageRequest } from '../../platform/paging/page-query.ts';
import { endOfPage } from '../../platform/paging/read-filtered-page.ts';
import { removeContact, saveContact } from './change-contact.ts';
import { findContact, listContacts } from './list-contacts.ts';
import * as schema from './schema.ts';

const PATH = '/v1/contacts';

const example = {
  contact_id: 'con_01k0fxw4mzejhtt6k1sqh3p5cg',
  delivery: { method: 'email', email: 'ada@example.com' },
  name: 'Ada',
  language: 'de',
  tags: ['berlin', 'engineering'],
  external_id: 'employee-117',
  birthday: '12-10',
  work_anniversary: '2021-09-01',
  created_at: '2026-11-21T12:00:00.000Z',
  changed_at: '2026-11-21T12:00:00.000Z',
} as unknown as Static<typeof schema.Contact>;

const { contact_id: exampleId, created_at: _created, changed_at: _changed, ...exampleInput } = example;
const exampleRemoval = {
  contact_id: exampleId,
  deleted: true as const,
  canceled_gifts: ['gift_01k0fxw4mzejhtt6k1sqh3p5cg'],
  refunded: 2500,
  withdrawn_requests: [],
};
const UNSENT = ['cancel', 'keep'] as const;
const params = idParameter('contact_id', 'The contact’s id.', exampleId);

export function contactRoutes(addRoute: AddRoute, deps: Deps): void {
  addListRoute(addRoute, deps);
  addSaveRoute(addRoute, deps);
  addRoute(
    {
      method: 'GET',
      path: `${PATH}/{contact_id}`,
      operationId: 'retrieveContact',
      tag: 'Contacts',
      summary: 'Retrieve a contact',
      description: 'One contact, with its address, tags and days.',
      access: 'key',
      params,
      response: refTo(schema.Contact),
      answers: { 200: { description: 'The contact.', example } },
      errors: ['resource_missing'],
    },
    async ({ params: { contact_id }, request }) =>
      schema.presentContact(await findContact(deps, callerOf(request), requireId('con', contact_id))),
  );
  addRoute(
    {
      method: 'DELETE',
      path: `${PATH}/{contact_id}`,
      operationId: 'deleteContact',
      tag: 'Contacts',
      summary: 'Delete a contact',
      description:
        'Deletes the contact. What is ordered for it and not sent is canceled, and open requests are withdrawn; the answer names them. Gifts that were sent stay as they are.',
      access: 'key',
      isSentOnce: true,
      params,
      query: Type.Object({
        unsent_gifts: choice(
          UNSENT,
          '`keep` leaves the gifts that are not sent, and the requests. The default is `cancel`.',
        ),
      }),
      response: refTo(schema.DeletedContact),
      answers: { 200: { description: 'The contact was deleted.', example: exampleRemoval } },
      errors: ['resource_missing', 'resource_locked', 'parameter_invalid'],
    },
    async ({ params: { contact_id }, request }) => {
      const contactId = requireId('con', contact_id);
      const query = request.query as Record<string, unknown>;
      const keepsUnsent = readChoice(query, 'unsent_gifts', UNSENT) === 'keep';
      const actor = { kind: 'key', address: request.ip } as const;
      const ended = await removeContact(deps, { caller: callerOf(request), actor, contactId, keepsUnsent });
      return schema.presentRemoval(contact_id, ended);
    },
  );
}

function addListRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listContacts',
      tag: 'Contacts',
      summary: 'List contacts',
      description: 'All contacts of the organization in this environment, most recently added first.',
      access: 'key',
      isCompressed: true,
      query: Type.Object({
        ...PageQuery.properties,
        tag: text('Only contacts with this tag.'),
        external_id: text('Only the contact with this `external_id`.'),
        recipient: recipientQuery('Only the contact with this email address or phone number.'),
      }),
      response: refTo(schema.ContactList),
      answers: {
        200: { description: 'A page of contacts.', example: { object: 'list', data: [example], has_more: false } },
      },
      errors: ['parameter_invalid', 'cursor_invalid'],
    },
    async ({ request }) => {
      const page = parsePageRequest(request.query);
      const query = request.query as Record<string, unknown>;
      const filters = {
        tag: readText(query, 'tag'),
        externalId: readText(query, 'external_id'),
        address: readRecipient(query)?.toLowerCase(),
      };
      const { rows, ...more } = await listContacts(deps, callerOf(request), { ...page, filters });
      return { object: 'list' as const, data: rows.map(schema.presentContact), ...endOfPage(more) };
    },
  );
}

function addSaveRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'PUT',
      path: PATH,
      operationId: 'saveContact',
      tag: 'Contacts',
      summary: 'Create or update a contact',
      description:
        'Changes the contact that has this `external_id`, or else this address, and creates it otherwise. A field that is left out stays as it is; `null` removes it, and `[]` all tags. Repeating the request changes nothing. Gifts that are ordered and not sent go to a new address.',
      access: 'key',
      body: refTo(schema.ContactInput),
      bodyExamples: { contact: { summary: 'With a birthday', value: exampleInput } },
      response: refTo(schema.Contact),
      answers: {
        200: { description: 'The contact, as it is now.', example },
        201: { description: 'The contact was created.', example },
      },
      errors: ['parameter_invalid', 'resource_locked'],
    },
    async ({ body, request, reply }) => {
      const change = { caller: callerOf(request), actor: { kind: 'key', address: request.ip }, input: body } as const;
      const { contact, isNew } = await saveContact(deps, change);
      reply.code(isNew ? 201 : 200);
      return schema.presentContact(contact);
    },
  );
}
