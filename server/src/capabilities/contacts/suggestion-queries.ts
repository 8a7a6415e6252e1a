import type { Environment } from '../../platform/base/environment.ts';
import { foldAddress, foldText } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';
import type { ContactRow } from './queries.ts';

/** Above every character: what begins with a text is below the text with this after it. */
const LAST = 'chr(1114111)';

/** SQL: whether the column begins with the text, in a form that an index can use under row security. */
const beginsWith = (column: string, text: string) => `${column} >= ${text} and ${column} < ${text} || ${LAST}`;

const ofOwner = 'organization_id = $1 and environment = $2';

/**
 * Contacts whose name or address begins with a text, or whose external id it is: a range of an index for each.
 *
 * @param addressStart folded, a number without spaces
 */
export const selectSuggested = statement<
  [organizationId: string, environment: Environment, text: string, addressStart: string, limit: number],
  ContactRow
>(
  'contacts.suggest',
  `select c.contact_id, c.method, c.address, c.name, c.language, c.tags, c.external_id, c.birthday, c.work_anniversary,
     c.created_at, c.changed_at
   from (
     (select contact_id from contacts
      where ${ofOwner} and ${beginsWith('sought_name', foldText('$3'))} order by sought_name limit $5)
     union
     (select contact_id from contacts
      where ${ofOwner} and ${beginsWith(foldAddress('address'), '$4')} order by ${foldAddress('address')} limit $5)
     union
     (select contact_id from contacts where ${ofOwner} and external_id = $3)
   ) f
   join contacts c on c.organization_id = $1 and c.environment = $2 and c.contact_id = f.contact_id
   order by c.sought_name, ${foldAddress('c.address')} limit $5`,
);
