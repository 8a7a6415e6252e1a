import { Type } from 'typebox';
import { listMemberLimits, setMemberLimits } from '../../core/caps/member-limits.ts';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Cents, nullable } from '../../platform/api/schema.ts';

const PATH = '/organizations/{organization_id}/{environment}/limits';

const Limits = Type.Object(
  {
    holder_id: Type.String({ description: 'A member or a team.' }),
    day: nullable(Cents),
    month: nullable(Cents),
    recipient: nullable(Type.Unsafe<number>({ ...Cents, description: 'What one recipient may get on a day.' })),
    spent: Type.Object({ day: Cents, month: Cents }, { description: 'In the day and month that have begun, in UTC.' }),
  },
  { $id: 'Limits' },
);

const Amount = Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  'x-rule': 'must be an amount above zero, or left out for no limit',
});

/** What members and teams may send (docs/limits.md). */
export function limitRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listLimits',
      tag: 'Members',
      summary:
        'The limits of members and teams that have some, with what was sent; without “settings”, the member’s own.',
      access: 'member',
      response: Type.Object({ data: Type.Array(Limits) }),
    },
    async ({ scope, member: { membership } }) => {
      const limits = await listMemberLimits(deps, scope);
      const own = [membership.member_id, membership.team_id];
      const seesAll = membership.permissions.includes('settings');
      return { data: limits.filter(({ holder_id }) => seesAll || own.includes(holder_id)) };
    },
  );

  register(
    {
      method: 'PUT',
      path: PATH,
      operationId: 'setLimits',
      tag: 'Members',
      summary: 'Sets what a member or a team may send in a day, in a month, and to one recipient on a day.',
      access: 'member',
      needs: 'settings',
      needsFreshSignIn: true,
      body: Type.Object({
        holder_id: Type.String({ maxLength: 60 }),
        day: Amount,
        month: Amount,
        recipient: Amount,
      }),
      response: Type.Object({ data: Type.Array(Limits) }),
    },
    async ({ scope, body: { holder_id: holderId, ...amounts }, member: { actor } }) => {
      await setMemberLimits(deps, { ...scope, holderId, amounts, actor });
      return { data: await listMemberLimits(deps, scope) };
    },
  );
}
