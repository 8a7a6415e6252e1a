import { useState } from 'react';
import { ApiError, api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { Member } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { RoleField } from './role-field.tsx';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { organizationId, membership } = useScope();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('member');
  const invitation = useAct({
    send: () =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/members`, {
          params: { path: { organization_id: organizationId } },
          body: { email: email.trim(), role },
        }),
      ),
    done: (member) => `Invitation sent to ${member.email}.`,
    onDone: onClose,
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
