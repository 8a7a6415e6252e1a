import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { type Member, membersQueryKey } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { RoleField } from './role-field.tsx';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { organizationId, membership } = useScope();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('member');
  const queryClient = useQueryClient();
  const showToast = useToast();
  const invitation = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/members`, {
          params: { path: { organization_id: organizationId } },
          body: { email: email.trim(), role },
        }),
      ),
    onSuccess: async (member) => {
      await queryClient.invalidateQueries({ queryKey: membersQueryKey(organizationId) });
      showToast(`Invitation sent to ${member.email}.`);
      onClose();
    },
  });
  const { error } = invitation;
  const isAboutEmail = error instanceof ApiError && error.param === 'email';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite a person"
      description={`We’ll email an invitation to ${membership.organization_name}. The person signs in with this address, and is a member after accepting.`}
    >
      <DialogForm
        noValidate
        onSubmit={() => invitation.mutate()}
        onCancel={onClose}
        error={isAboutEmail ? null : error}
        isBusy={invitation.isPending}
        action="Send invitation"
        isIncomplete={email.trim() === ''}
      >
        <TextField
          label="Email address"
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="off"
          spellCheck={false}
          error={isAboutEmail ? 'Enter a valid email address, such as name@example.com.' : undefined}
        />
        <RoleField value={role} onChange={setRole} />
      </DialogForm>
    </Dialog>
  );
}
