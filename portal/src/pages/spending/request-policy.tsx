import { Link } from '@tanstack/react-router';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { SettingsSwitch } from '../../ui/switch.tsx';

/** Whether members may ask for gifts. */
export function RequestPolicy() {
  const { membership, organizationId, params, may } = useScope();
  const isAllowed = membership.members_may_request;
  const path = { params: { path: { organization_id: organizationId } }, body: { is_allowed: !isAllowed } };
  const label = isAllowed ? 'Switch off' : 'Switch on';
  return (
    <SettingsSwitch
      title="Members may request gifts"
      description="Members prepare gifts, and nothing is bought until an admin approves them."
      label={may('settings') ? label : undefined}
      question={{
        title: isAllowed ? 'No more requests of members?' : 'Let members request gifts?',
        description: isAllowed
          ? 'Members can ask for no more gifts. Admins can still decide the open requests.'
          : 'Members can write gifts and ask for them. Admins get an email for each request.',
        action: label,
        isDanger: isAllowed,
      }}
      change={() => unwrap(api.PUT(`${ORGANIZATION_PATH}/gift-request-policy`, path))}
      done={isAllowed ? 'Members can no longer request gifts.' : 'Members can now request gifts.'}
    >
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Badge tone={isAllowed ? 'good' : 'plain'}>{isAllowed ? 'On' : 'Off'}</Badge>
        <Link
          to="/$organizationId/$environment/gifts/requests"
          params={params}
          className="text-accent underline underline-offset-2"
        >
          Approvals
        </Link>
      </p>
    </SettingsSwitch>
  );
}
