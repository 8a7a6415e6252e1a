import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { setProgram, showProgram } from '../../core/organizations/set-program.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { nullable, oneOf } from '../../platform/api/schema.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { languageTags } from '../../platform/languages/languages.ts';

const Program = Type.Object(
  {
    program: oneOf('award', 'sold'),
    unclaimed_after_days: nullable(
      Type.Integer({ description: 'Days until an unclaimed gift expires; null: gifts do not expire.' }),
    ),
    reminder_days: Type.Array(Type.Integer(), {
      description: 'Days after the order on which the recipient of an unclaimed live gift is reminded.',
      maxItems: 5,
    }),
    messages_show_value: Type.Boolean({
      description: 'Whether messages name amount and category before the gift is opened.',
    }),
    language: Type.Optional(
      Type.Union([oneOf(...languageTags), Type.Null()], {
        description: 'Of pages and messages whose gift has none; null: no wish. As before if absent.',
      }),
    ),
  },
  { $id: 'Program' },
);

const PATH = '/organizations/{organization_id}/program';

/** Whether unclaimed gifts expire. */
export function programRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'showProgram',
      tag: 'Gifts',
      summary: 'When unclaimed gifts of later orders expire.',
      access: 'member',
      response: Program,
    },
    ({ params }) => showProgram(deps, decodeId('org', params.organization_id) ?? ''),
  );

  register(
    {
      method: 'PUT',
      path: PATH,
      operationId: 'setProgram',
      tag: 'Gifts',
      summary: 'Sets when unclaimed gifts of later orders expire.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: Program,
      response: Program,
    },
    ({ params, body, member }) =>
      setProgram(deps, {
        organizationId: params.organization_id,
        program: body.program,
        unclaimedAfterDays: body.unclaimed_after_days,
        reminderDays: body.reminder_days,
        messagesShowValue: body.messages_show_value,
        language: body.language,
        actor: member.actor,
      }),
  );
}
