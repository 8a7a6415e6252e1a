import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { isActiveAdmin, type Member } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useAct } from '../../ui/use-act.ts';
import { RoleField, useRoleName } from './role-field.tsx';

/** Gives a member another role. */
export function MemberRoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { organizationId, membership } = useScope();
  const { email, member_id } = member;
  const [role, setRole] = useState(member.role);
  const nameOf = useRoleName();
  const isOneself = member_id === membership.member_id;
  const givesUp = isActiveAdmin(member) && role !== 'admin';
  const change = useAct({
    send: () =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/members/{member_id}/role`, {
          params: { path: { organization_id: organizationId, member_id } },
          body: { role },
        }),
      ),
    // The page goes if the own role no longer includes it.
    waits: false,
    done: `${email} now has the role ${nameOf(role)}.`,
    onDone: onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Change the role of ${email}`} description="It counts at once.">
      <DialogForm
        onSubmit={() => change.mutate()}
        onCancel={onClose}
        error={change.error}
        isBusy={change.isPending}
        action="Change role"
        isDanger={givesUp}
        isIncomplete={role === member.role}
      >
        <RoleField value={role} onChange={setRole} />
        {givesUp && <p className="mt-3 text-soft">Keys that the person created keep working.</p>}
        {givesUp && isOneself && (
          <p className="mt-2 font-semibold text-bad">
            This is you: you lose what this role does not include, until another admin makes you an admin again.
          </p>
        )}
      </DialogForm>
    </Dialog>
  );
}
