import { type CallerParameters, type CallerRow, caller, callerColumns } from '../../platform/authentication/caller.ts';
import { sandboxLocked } from '../../platform/authentication/sandbox-locked.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import {
  type FilteredRange,
  type FoundRow,
  hasCursor,
  inFilteredRange,
} from '../../platform/paging/read-filtered-page.ts';
import { HIGHEST, inBothDirections, LOWEST } from '../../platform/paging/read-page.ts';
import { beginningWith } from './statement-parts.ts';

export interface ContactValues {
  method: 'email' | 'phone';
  /** As gifts have it. */
  address: string;
  name: string | null;
  language: string | null;
  tags: string[];
  external_id: string | null;
  birthday: string | null;
  work_anniversary: string | null;
}

export interface ContactRow extends ContactValues {
  contact_id: string;
  created_at: Date;
  changed_at: Date;
}

type Owner = [organizationId: string, environment: Environment];

const names =
  'contact_id, method, address, name, language, tags, external_id, birthday, work_anniversary, created_at, changed_at';
const ofContact = names.replace(/\w+/g, 'c.$&');

/** For a transaction that changes contacts. */
export const selectChanger = statement<CallerParameters, CallerRow>(
  'contacts.select_changer',
  `with ${caller({ states: sandboxLocked })} select ${callerColumns} from caller`,
);

/** Never without `requireAdmitted`. */
export const selectContact = statement<[...CallerParameters, contactId: string], CallerRow & ContactRow>(
  'contacts.select',
  `with ${caller()}
   select ${callerColumns}, ${ofContact}
   from caller left join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = $4
     and caller.caller_state = 'admitted'`,
);

/** Null: no filter. */
export type PageParameters = [
  ...CallerParameters,
  ...FilteredRange,
  tag: string | null,
  externalId: string | null,
  address: string | null,
];

/**
 * SQL: the only contact that two of the filters can find, so that its row is read by an index; else the bound.
 */
const foundOr = (bound: string) =>
  `case when $9::text is not null then
         (select n.contact_id from contacts n
          where n.organization_id = $1 and n.environment = $2 and n.external_id = $9)
       when $10::text is not null then
         (select n.contact_id from contacts n
          where n.organization_id = $1 and n.environment = $2 and ${foldAddress('n.address')} = $10)
       else '${bound}'::uuid end`;

/** SQL of a page in one direction. @param isFound a further condition */
const pageInOrder = (order: string, isFound = '') =>
  `with ${caller()}, page as (
     select ${names} from contacts
     where ${inFilteredRange('contact_id')} and (select caller_state from caller) = 'admitted'
       and contact_id >= ${foundOr(LOWEST)} and contact_id <= ${foundOr(HIGHEST)}
       and ($8::text is null or tags @> array[$8]) and ($9::text is null or external_id = $9)
       and ($10::text is null or ${foldAddress('address')} = $10) ${isFound}
     order by contact_id ${order} limit $7
   )
   select ${callerColumns}, ${hasCursor('contacts', 'contact_id')}, null::uuid as stopped_at, ${ofContact}
   from caller left join page c on true
   order by c.contact_id ${order}`;

/** One row without a contact shows the caller. Never without `requireAdmitted`. */
export const selectContacts = inBothDirections('contacts.list', (name, order) =>
  statement<PageParameters, CallerRow & FoundRow & ContactRow>(name, pageInOrder(order)),
);

/** As `selectContacts`, of those that a text finds. An array, so that the index of ids finds them. @param otherForm of `otherForm` */
export const searchByWords = inBothDirections('contacts.search', (name, order) =>
  statement<[...PageParameters, text: string, otherForm: string | null], CallerRow & FoundRow & ContactRow>(
    name,
    pageInOrder(
      order,
      `and contact_id = any (array(
         select contact_id from (${beginningWith('$11')} union all ${beginningWith('$12')}) w))`,
    ),
  ),
);

export const contactExists = statement<[...Owner, contactId: string], { contact_id: string }>(
  'contacts.exists',
  'select contact_id from contacts where organization_id = $1 and environment = $2 and contact_id = $3',
);

/** The most used first. */
export const selectTags = statement<Owner, { tag: string; contacts: number }>(
  'contacts.tags',
  `select tag, count(*)::integer as contacts from contacts, unnest(tags) as tag
   where organization_id = $1 and environment = $2
   group by tag order by contacts desc, tag limit 500`,
);

/** Contacts with one of these ids, external ids or addresses. @param addresses folded */
export const selectSame = statement<
  [...Owner, contactIds: readonly string[], externalIds: readonly string[], addresses: readonly string[]],
  ContactRow
>(
  'contacts.select_same',
  `select ${names} from contacts
   where organization_id = $1 and environment = $2 and contact_id = any ($3)
   union
   select ${names} from contacts
   where organization_id = $1 and environment = $2 and external_id = any ($4)
   union
   select ${names} from contacts
   where organization_id = $1 and environment = $2 and ${foldAddress('address')} = any ($5)`,
);

export const countContacts = statement<Owner, { count: number }>(
  'contacts.count',
  'select count(*)::integer as count from contacts where organization_id = $1 and environment = $2',
);

/** @param contacts JSON of a list of `ContactRow` */
export const upsertContacts = statement<[...Owner, contacts: string]>(
  'contacts.upsert',
  `insert into contacts (organization_id, environment, ${names})
   select $1, $2, ${ofContact}
   from jsonb_to_recordset($3::jsonb) as c (contact_id uuid, method text, address text, name text, language text,
     tags text[], external_id text, birthday text, work_anniversary text, created_at timestamptz, changed_at timestamptz)
   on conflict (organization_id, environment, contact_id) do update
   set (method, address, name, language, tags, external_id, birthday, work_anniversary, changed_at)
     = (excluded.method, excluded.address, excluded.name, excluded.language, excluded.tags, excluded.external_id,
        excluded.birthday, excluded.work_anniversary, excluded.changed_at)`,
);

/** Locks a contact until the transaction ends, so that no gift is planned for it. */
export const lockContact = statement<[...Owner, contactId: string], { address: string; changed_at: Date }>(
  'contacts.lock',
  `select address, changed_at from contacts where organization_id = $1 and environment = $2 and contact_id = $3 for update`,
);

export const deleteContact = statement<[...Owner, contactId: string], { contact_id: string }>(
  'contacts.delete',
  `delete from contacts where organization_id = $1 and environment = $2 and contact_id = $3 returning contact_id`,
);

/** @param address in lower case */
export const deleteContactsOf = statement<[organizationId: string, address: string], { contact_id: string }>(
  'contacts.erase',
  `delete from contacts where organization_id = $1 and ${foldAddress('address')} = $2 returning contact_id`,
);

/** What is held of an address, for an export. @param address in lower case */
export const selectHeldContacts = statement<
  [organizationId: string, address: string],
  ContactRow & { environment: Environment }
>(
  'contacts.select_held',
  `select environment, ${names} from contacts where organization_id = $1 and ${foldAddress('address')} = $2
   order by environment`,
);

export const deleteSandboxContacts = statement<[organizationId: string]>(
  'contacts.delete_of_sandbox',
  `delete from contacts where organization_id = $1 and environment = 'sandbox'`,
);
