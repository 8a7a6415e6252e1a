import type { Environment } from '../../platform/base/environment.ts';
import { statement } from '../../platform/database/statement.ts';
import type { ContactRow } from './queries.ts';
import { beginningWith } from './statement-parts.ts';

/** The first of an index; a contact has several of the same beginning, such as those of its name and its address. */
const firstOf = (text: string) => `(${beginningWith(text)} order by words limit 4 * $5)`;

/** Contacts that a text finds, by what it found. @param otherForm as the function `otherForm` returns it */
export const selectSuggested = statement<
  [organizationId: string, environment: Environment, text: string, otherForm: string | null, limit: number],
  ContactRow
>(
  'contacts.suggest',
  `select c.contact_id, c.method, c.address, c.name, c.language, c.tags, c.external_id, c.birthday, c.work_anniversary,
     c.created_at, c.changed_at
   from (
     select contact_id, min(words) as words from (${firstOf('$3')} union all ${firstOf('$4')}) w
     group by contact_id order by words, contact_id limit $5
   ) f
   join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = f.contact_id
   order by f.words, c.contact_id`,
);
