import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meQuery } from '../../api/me.ts';
import { isActiveAdmin, type Member, type MemberActName, memberAct, membersQueryKey } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

interface ChangeMemberDialogProps {
  name: MemberActName;
  member: Member;
  members: readonly Member[];
  onClose: () => void;
}

/** Asks for confirmation. Refuses to remove the last active admin. */
export function ChangeMemberDialog({ name, member, members, onClose }: ChangeMemberDialogProps) {
  const act = memberAct(name);
  const { email } = member;
  const isLastAdmin = act.removesAdmin && isActiveAdmin(member) && members.filter(isActiveAdmin).length === 1;
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
  return <ConfirmChange name={name} member={member} onClose={onClose} />;
}

function ConfirmChange({ name, member, onClose }: Omit<ChangeMemberDialogProps, 'members'>) {
  const { organizationId, membership } = useScope();
  const queryClient = useQueryClient();
  const router = useRouter();
  const showToast = useToast();
  const act = memberAct(name);
  const { email, member_id, is_billing_contact } = member;
  const isOneself = member_id === membership.member_id;
  const change = useMutation({
    mutationFn: () => act.call({ organization_id: organizationId, member_id }),
    onSuccess: async () => {
      showToast(act.done(email));
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
              This person is the billing contact. New orders will be attributed to the longest-standing admin.
            </p>
          )}
          {isOneself && act.toOneself !== undefined && <p className="mt-2 font-semibold text-bad">{act.toOneself}</p>}
        </>
      }
      action={act.label}
      isDanger={act.isDanger}
      isBusy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
    />
  );
}
