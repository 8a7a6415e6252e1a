import { bodyValidatorOf } from '../../platform/api/validate.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import type { Changer } from '../yearly-gifts/changer.ts';
import { nothingEnded, presentOutcome } from '../yearly-gifts/end-unsent.ts';
import type { UnsentChoice } from '../yearly-gifts/follow-people.ts';
import { recordEvent } from './actions.ts';
import type { ContactDeps } from './change-contact.ts';
import { type CheckedContacts, ContactToSave, type ImportedContacts } from './portal-schema.ts';
import { type GivenContact, readContact, requirePastBirthday } from './read-contact.ts';
import { changesOf, decideContacts, refusals, saveContacts } from './save-contacts.ts';
import type { ContactInputBody } from './schema.ts';

/** The same check as of one contact. */
const validate = bodyValidatorOf(ContactToSave);

interface Import {
  rows: readonly ContactInputBody[];
  actor: Actor;
  changer: Changer;
  unsentGifts: UnsentChoice;
}

type Fault = Pick<ImportedContacts['refused'][number], 'column' | 'message'>;

/**
 * Adds or changes the contacts of a file's rows; the others are refused one by one. Repeating it changes nothing.
 *
 * @throws BestowError `parameter_invalid` for a field that is not a column
 */
export async function importContacts(
  deps: ContactDeps,
  scope: Scope,
  { rows, actor, changer, unsentGifts }: Import,
): Promise<ImportedContacts> {
  const read = rows.map((row, index) => readRow(deps, scope, row, index));
  return await inOrganization(deps.database, scope.organizationId, async (client) => {
    const { saved, followed } = await saveContacts(
      client,
      deps,
      { caller: admitted(scope), actor, changer, unsentGifts },
      read.flatMap(({ given }) => given ?? []),
    );
    const unsent = presentOutcome(followed ?? nothingEnded(), followed?.moved ?? 0);
    const total: ImportedContacts = { added: 0, changed: 0, unchanged: 0, refused: [], unsent };
    for (const [row, { given, fault }] of read.entries()) {
      const outcome = given === undefined ? undefined : saved.shift()?.outcome;
      if (outcome === 'added' || outcome === 'changed' || outcome === 'unchanged') total[outcome] += 1;
      else if (outcome === undefined) total.refused.push({ row, column: null, message: '', ...fault });
      else total.refused.push({ row, column: null, message: refusals[outcome] });
    }
    const { organizationId, environment } = scope;
    const { added, changed } = total;
    if (added + changed > 0)
      await recordEvent(client, deps, actor, {
        organizationId,
        environment,
        action: 'contacts.imported',
        details: { added, changed },
      });
    return total;
  });
}

/**
 * Says what importing the rows would do to each, and saves nothing.
 *
 * @throws BestowError `parameter_invalid` for a field that is not a column; `sign_in_again`
 */
export async function checkContacts(
  deps: ContactDeps,
  scope: Scope,
  { rows, changer }: { rows: readonly ContactInputBody[]; changer: Changer },
): Promise<CheckedContacts> {
  const read = rows.map((row, index) => readRow(deps, scope, row, index));
  const given = read.flatMap((row) => row.given ?? []);
  const decided = await inOrganization(deps.database, scope.organizationId, (client) =>
    decideContacts(client, deps, { caller: admitted(scope), changer }, given),
  );
  const data = read.map(({ fault }): CheckedContacts['data'][number] => {
    const none = { contact_id: null, column: null, message: null, changes: [] };
    const one = fault === undefined ? decided.shift() : undefined;
    if (one === undefined) return { outcome: 'refused', ...none, ...fault };
    if (!('contact' in one)) return { outcome: 'refused', ...none, message: refusals[one.outcome] };
    const isHeld = one.outcome !== 'added';
    return {
      outcome: one.outcome,
      ...none,
      contact_id: isHeld ? encodeId('con', one.contact.contact_id) : null,
      changes: changesOf(one.before, one.contact),
    };
  });
  return { data };
}

const COLUMNS = [
  'delivery',
  'method',
  'email',
  'phone',
  'name',
  'language',
  'tags',
  'external_id',
  'birthday',
  'work_anniversary',
];

function readRow(
  { clock, config }: ContactDeps,
  { environment }: Scope,
  row: ContactInputBody,
  index: number,
): { given?: GivenContact; fault?: Fault } {
  const checked = validate(row);
  if ('error' in checked) return { fault: faultOf(checked.error, index) };
  try {
    const given = readContact(config, environment, checked.value as ContactInputBody);
    requirePastBirthday(clock, given);
    return { given };
  } catch (error) {
    if (error instanceof BestowError) return { fault: faultOf(error, index) };
    throw error;
  }
}

/** The column is the last name of a path such as `delivery.email` or `tags[3]`. */
function faultOf({ param = '', message }: BestowError, index: number): Fault {
  const column = param.split('.').at(-1)?.split('[')[0] ?? '';
  if (!COLUMNS.includes(column))
    throw new BestowError('parameter_invalid', { param: `rows[${index}].${param}`, message });
  return { column, message: message.replace(param, column) };
}
