import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, unwrap } from '../api/client.ts';
import { usePlace } from '../layout/use-place.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FormError, SelectField, TextField } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import { type Member, membersQueryKey } from './member-acts.ts';

const roles = [
  { value: 'member', label: 'Member: sees everything' },
  { value: 'admin', label: 'Admin: also changes everything' },
] as const satisfies readonly { value: Member['role']; label: string }[];

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { organizationId, membership } = usePlace();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('member');
  const queryClient = useQueryClient();
  const say = useToast();
  const invitation = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/portal/api/organizations/{organization_id}/members', {
          params: { path: { organization_id: organizationId } },
          body: { email: email.trim(), role },
        }),
      ),
    onSuccess: async (member) => {
      await queryClient.invalidateQueries({ queryKey: membersQueryKey(organizationId) });
      say(`${member.email} is invited.`);
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
      description={`They get a mail, sign in with this address, and see what is ${membership.organization_name}’s.`}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          invitation.mutate();
        }}
      >
        <TextField
          label="Email address"
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="off"
          spellCheck={false}
          error={
            isAboutEmail ? 'This is not an email address such as name@example.com. Check its spelling.' : undefined
          }
        />
        <SelectField label="Role" value={role} onChange={setRole} options={roles} />
        <FormError error={isAboutEmail ? null : error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={invitation.isPending} disabled={email.trim() === ''}>
            Send invitation
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
