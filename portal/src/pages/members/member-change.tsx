import { isActiveAdmin, type Member, type MemberActName, memberAct } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { useAct } from '../../ui/use-act.ts';
import type { MemberChangeName } from './member-menu.tsx';
import { MemberRoleDialog } from './member-role.tsx';
import { MemberTeamDialog } from './member-team.tsx';

interface ChangeMemberDialogProps {
  name: MemberChangeName;
  member: Member;
  members: readonly Member[];
  onClose: () => void;
}

/** Asks for confirmation. Refuses to remove the last active admin. */
export function ChangeMemberDialog({ name, member, members, onClose }: ChangeMemberDialogProps) {
  const { email } = member;
  if (name === 'team') return <MemberTeamDialog member={member} onClose={onClose} />;
  const removesAdmin = name === 'role' || memberAct(name).removesAdmin;
  const isLastAdmin = removesAdmin && isActiveAdmin(member) && members.filter(isActiveAdmin).length === 1;
  if (isLastAdmin)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`${email} is the last active admin`}
        description="Without an admin no one could create keys or invite people. Make another member an admin first."
      >
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    );
  if (name === 'role') return <MemberRoleDialog member={member} onClose={onClose} />;
  return <ConfirmChange name={name} member={member} onClose={onClose} />;
}

interface ConfirmChangeProps {
  name: MemberActName;
  member: Member;
  onClose: () => void;
}

function ConfirmChange({ name, member, onClose }: ConfirmChangeProps) {
  const { organizationId, membership } = useScope();
  const act = memberAct(name);
  const { email, member_id, is_billing_contact } = member;
  const isOneself = member_id === membership.member_id;
  const change = useAct({
    send: () => act.call({ organization_id: organizationId, member_id }),
    // The page goes if the members leave their own organization.
    waits: false,
    done: act.done(email),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={act.title(email)}
      description={
        <>
          <p>{act.description}</p>
          {name === 'deactivate' && is_billing_contact && (
            <p className="mt-2">
              This person is the billing contact. New orders will be attributed to the longest-standing admin.
            </p>
          )}
          {isOneself && act.toOneself !== undefined && <p className="mt-2 font-semibold text-bad">{act.toOneself}</p>}
        </>
      }
      action={act.label}
      isDanger={act.isDanger}
      act={change}
    />
  );
}
