import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meQuery } from '../api/me.ts';
import { usePlace } from '../layout/use-place.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useToast } from '../ui/toast.tsx';
import { isActiveAdmin, type Member, type MemberActName, memberAct, membersQueryKey } from './member-acts.ts';

interface ChangeMemberDialogProps {
  name: MemberActName;
  member: Member;
  members: readonly Member[];
  onClose: () => void;
}

/** Says what the change does and asks; the last active admin cannot be taken away. */
export function ChangeMemberDialog({ name, member, members, onClose }: ChangeMemberDialogProps) {
  const act = memberAct(name);
  const { email } = member;
  const isLastAdmin = act.takesAdmin && isActiveAdmin(member) && members.filter(isActiveAdmin).length === 1;
  if (isLastAdmin)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`${email} is the last active admin`}
        description="Without an admin nobody could create keys or invite people. Make another member an admin first."
      >
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    );
  return <ConfirmChange name={name} member={member} onClose={onClose} />;
}

function ConfirmChange({ name, member, onClose }: Omit<ChangeMemberDialogProps, 'members'>) {
  const { organizationId, membership } = usePlace();
  const queryClient = useQueryClient();
  const router = useRouter();
  const say = useToast();
  const act = memberAct(name);
  const { email, member_id, is_billing_contact } = member;
  const isOneself = member_id === membership.member_id;
  const change = useMutation({
    mutationFn: () => act.call({ organization_id: organizationId, member_id }),
    onSuccess: async () => {
      say(act.done(email));
      onClose();
      if (isOneself) {
        await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
        await router.invalidate();
      }
      if (!(isOneself && name === 'deactivate'))
        await queryClient.invalidateQueries({ queryKey: membersQueryKey(organizationId) });
    },
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
              They are the billing contact. New orders are then attributed to the longest-standing admin.
            </p>
          )}
          {isOneself && act.toOneself !== undefined && <p className="mt-2 font-semibold text-bad">{act.toOneself}</p>}
        </>
      }
      action={act.action}
      isDanger={act.isDanger}
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
    />
  );
}
