import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { readChangedAt } from '../../faces/portal-access/require-seen.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { changerOf } from '../yearly-gifts/changer.ts';
import { presentOutcome } from '../yearly-gifts/end-unsent.ts';
import { ChoiceQuery } from '../yearly-gifts/schema.ts';
import { findMissing } from './find-missing.ts';
import { checkContacts, importContacts } from './import-contacts.ts';
import { CONTACTS_PATH, requireContact } from './portal-routes.ts';
import {
  CheckedContacts,
  ImportedContacts,
  MissingContacts,
  MissingSearch,
  MissingSettlement,
  RowsOfFile,
  SettledContacts,
} from './portal-schema.ts';
import { presentContact } from './schema.ts';
import { settleMissing } from './settle-missing.ts';

/** Contacts from a file (docs/contacts.md#import-a-file). */
export function contactFileRoutes(register: Register, deps: Deps): void {
  addImportRoutes(register, deps);
  addMissingRoutes(register, deps);
}

function addImportRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${CONTACTS_PATH}/check`,
      operationId: 'checkContacts',
      tag: 'Contacts',
      summary: 'Says what importing rows of a file would do, and saves nothing.',
      access: 'member',
      needs: 'settings',
      body: Type.Object({ rows: RowsOfFile }),
      response: CheckedContacts,
    },
    ({ scope, body, member, session }) =>
      checkContacts(deps, scope, { rows: body.rows, changer: changerOf(deps, member, session) }),
  );
  register(
    {
      method: 'POST',
      path: `${CONTACTS_PATH}/import`,
      operationId: 'importContacts',
      tag: 'Contacts',
      summary: 'Adds or changes contacts from rows of a file. Repeating it changes nothing.',
      access: 'member',
      needs: 'settings',
      query: ChoiceQuery,
      body: Type.Object({ rows: RowsOfFile }),
      response: ImportedContacts,
    },
    ({ scope, query, body, member, session }) =>
      importContacts(deps, scope, {
        rows: body.rows,
        actor: member.actor,
        changer: changerOf(deps, member, session),
        unsentGifts: query.unsent_gifts ?? 'follow',
      }),
  );
}

function addMissingRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${CONTACTS_PATH}/missing`,
      operationId: 'findMissingContacts',
      tag: 'Contacts',
      summary: 'Contacts that a file does not have, and those of people who left.',
      access: 'member',
      needs: 'settings',
      body: MissingSearch,
      response: MissingContacts,
    },
    async ({ scope, body: { in_file, left, left_out, among, tag } }) => {
      const { rows, count } = await findMissing(deps, scope, {
        inFile: in_file.map(requireContact),
        left: left.map(requireContact),
        leftOut: left_out,
        among: among === 'none' ? undefined : { tag },
      });
      return { data: rows.map(presentContact), count };
    },
  );
  register(
    {
      method: 'POST',
      path: `${CONTACTS_PATH}/missing/settle`,
      operationId: 'settleMissingContacts',
      tag: 'Contacts',
      summary: 'Deletes the contacts that are named, or takes a tag from them; one that was saved since stays.',
      access: 'member',
      needs: 'settings',
      body: MissingSettlement,
      response: SettledContacts,
    },
    async ({ scope, body, member, session }) => {
      const { act, tag } = body;
      if (act === 'remove_tag' && tag === undefined) throw new BestowError('parameter_invalid', { param: 'tag' });
      const { done, stayed, ended } = await settleMissing(deps, scope, {
        contacts: body.contacts.map(({ contact_id, changed_at }, index) => ({
          contactId: requireContact(contact_id),
          changedAt: readChangedAt(changed_at, `contacts[${index}].changed_at`),
        })),
        tag: act === 'remove_tag' ? tag : undefined,
        actor: member.actor,
        changer: changerOf(deps, member, session),
        keepsUnsent: body.unsent_gifts === 'keep',
      });
      const ids = stayed.map((contactId) => encodeId('con', contactId));
      return { done, stayed: ids, unsent: presentOutcome(ended, 0) };
    },
  );
}
