import { Link } from '@tanstack/react-router';
import { useScope } from '../api/use-scope.ts';
import { portalPath } from '../base/address.ts';
import { Operator } from './operator.tsx';

// In one file of the build: who lacks a page has a notice too.
export { LackOfRole } from './lack-of-role.tsx';

/** Says what the person cannot do here. */
export function Notices() {
  const { me, membership, params, includes, lacksSecondFactor } = useScope();
  return (
    <section aria-label="Notices">
      {membership.is_suspended && (
        <p role="status" className="border-b border-bad/30 bg-bad-wash px-4 py-3 text-bad sm:px-8">
          <strong>{membership.organization_name} is suspended.</strong> API requests are refused. You can view every
          page, but the only changes that admins can make are to revoke keys and to put gifts on hold.{' '}
          {!membership.holds_gifts && 'Recipients can still claim their gifts. '}Contact <Operator />.
        </p>
      )}
      {membership.holds_gifts && (
        <p role="status" className="border-b border-warn/30 bg-warn-wash px-4 py-3 text-warn sm:px-8">
          <strong>All unclaimed gifts are on hold.</strong> No one can claim them, and nothing can be ordered. Admins
          release them in the settings.
        </p>
      )}
      {lacksSecondFactor && (
        <p role="status" className="print:hidden border-b border-warn/30 bg-warn-wash px-4 py-3 text-warn sm:px-8">
          <strong>{membership.organization_name} requires a second factor.</strong> Until you use one, you can change
          nothing.{' '}
          {me.has_second_factor ? (
            <Link to="/sign-in" search={{ return_to: portalPath }} className="font-semibold underline">
              Sign in with your authenticator app
            </Link>
          ) : (
            <>
              <Link to="/account" className="font-semibold underline">
                Set up a passkey or an authenticator app
              </Link>
              , then sign in with it.
            </>
          )}
        </p>
      )}
      {me.invitations.length > 0 && (
        <p role="status" className="print:hidden border-b border-line bg-sunken px-4 py-3 sm:px-8">
          You are invited to {me.invitations.map(({ organization_name }) => organization_name).join(', ')}.{' '}
          <Link to="/account" className="font-semibold text-accent underline">
            Accept or decline
          </Link>
        </p>
      )}
      {membership.role !== 'admin' && (
        <p className="print:hidden border-b border-line bg-sunken px-4 py-2 text-sm text-soft sm:px-8">
          {membership.role === 'member' ? (
            `You can view everything here${includes('request') ? ' and ask for gifts' : ''}. Only admins can make changes.`
          ) : (
            <>
              Your role here is <strong>{membership.role_name}</strong>.{' '}
              <Link to="/$organizationId/$environment/members/roles" params={params} className="underline">
                What it includes
              </Link>
            </>
          )}
        </p>
      )}
    </section>
  );
}
