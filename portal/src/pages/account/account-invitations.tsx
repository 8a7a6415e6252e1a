import { useRouter } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { roleWords } from '../../base/roles.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';

type Invitation =
  paths['/portal/api/me']['get']['responses'][200]['content']['application/json']['invitations'][number];

/** The organizations that invite this person. Nothing happens until the person accepts. */
export function AccountInvitations({ invitations }: { invitations: readonly Invitation[] }) {
  return invitations.map((invitation) => <OneInvitation key={invitation.organization_id} invitation={invitation} />);
}

function OneInvitation({ invitation: { organization_id, organization_name, role } }: { invitation: Invitation }) {
  const router = useRouter();
  const answer = useAct({
    send: (isAccepted: boolean) => {
      const params = { params: { path: { organization_id } } };
      return unwrap(
        isAccepted
          ? api.POST('/portal/api/invitations/{organization_id}/accept', params)
          : api.POST('/portal/api/invitations/{organization_id}/decline', params),
      );
    },
    done: (_answer, isAccepted) =>
      isAccepted ? `You are now ${roleWords(role).words} of ${organization_name}.` : 'Invitation declined.',
    onDone: (_answer, isAccepted) =>
      isAccepted &&
      router.navigate({
        to: '/$organizationId/$environment',
        params: { organizationId: organization_id, environment: 'live' },
      }),
  });
  return (
    <Panel
      title={`Invitation to ${organization_name}`}
      description={`You would be ${roleWords(role).words}. ${roleWords(role).says}`}
    >
      <FormError error={answer.error} />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => answer.mutate(true)} isBusy={answer.isPending}>
          Accept
        </Button>
        <Button onClick={() => answer.mutate(false)} disabled={answer.isPending}>
          Decline
        </Button>
      </div>
    </Panel>
  );
}
