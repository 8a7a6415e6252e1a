import { Link } from '@tanstack/react-router';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Badge } from '../../ui/badge.tsx';
import { SettingsSwitch } from '../../ui/switch.tsx';

/** Whether every admin needs a second factor. */
export function SecondFactorSettings() {
  const { me, membership, organizationId, may } = useScope();
  const isRequired = membership.requires_second_factor;
  const canRequire = isRequired || me.is_two_factor;
  const params = { path: { organization_id: organizationId } };
  const body = { is_required: !isRequired };
  return (
    <SettingsSwitch
      title="Second factor for admins"
      description="Admins without a passkey or an authenticator app can view everything but change nothing."
      label={may('members') && canRequire ? (isRequired ? 'Make it optional' : 'Require it') : undefined}
      question={{
        title: isRequired ? 'Make the second factor optional?' : 'Require a second factor of every admin?',
        description: isRequired
          ? 'Admins can make changes after signing in with only a code by email. All admins get an email.'
          : 'Admins who signed in with only a code by email can change nothing until they use a passkey or an authenticator app. All admins get an email.',
        action: isRequired ? 'Make it optional' : 'Require it',
        isDanger: isRequired,
      }}
      change={() => unwrap(api.PUT(`${ORGANIZATION_PATH}/second-factor-policy`, { params, body }))}
      done={isRequired ? 'The second factor is now optional.' : 'Admins now need a second factor.'}
    >
      <p>{isRequired ? <Badge tone="good">Required</Badge> : <Badge tone="plain">Optional</Badge>}</p>
      {may('members') && !canRequire && (
        <p className="mt-2 text-soft">
          To require it, first{' '}
          <Link to="/account" className="text-accent underline underline-offset-2">
            set up your own
          </Link>{' '}
          and sign in with it.
        </p>
      )}
    </SettingsSwitch>
  );
}
