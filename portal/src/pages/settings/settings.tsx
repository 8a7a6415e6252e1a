import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { membersQuery } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { CopyableCode } from '../../ui/code.tsx';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { HoldSettings } from './settings-hold.tsx';
import { IssuerSettings } from './settings-issuers.tsx';
import { NameSettings } from './settings-name.tsx';
import { ProgramSettings } from './settings-program.tsx';
import { SandboxSettings } from './settings-sandbox.tsx';
import { SecondFactorSettings } from './settings-second-factor.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { MembersPage } from '../members/members.tsx';
export { SpendingPage } from '../spending/spending.tsx';

/** The organization and its sandbox. */
export function SettingsPage() {
  const { membership, organizationId, may } = useScope();
  return (
    <Page title="Settings" description="The same in Live and Sandbox mode.">
      <Panel title="Organization">
        {may('settings') && <NameSettings />}
        <Facts
          facts={[
            ...(may('settings') ? [] : [['Name', membership.organization_name] as const]),
            [
              'Organization ID',
              <CopyableCode key="id" label="Copy organization ID">
                {organizationId}
              </CopyableCode>,
            ],
            ['Billing contact', <BillingContact key="contact" />],
          ]}
        />
      </Panel>
      <SecondFactorSettings />
      <HoldSettings />
      <ProgramSettings />
      <IssuerSettings />
      <SandboxSettings />
    </Page>
  );
}

/** The member whom orders are attributed to. */
function BillingContact() {
  const { organizationId, params, may } = useScope();
  const { data, error } = useQuery(membersQuery(organizationId));
  const contact = data?.data.find(({ is_billing_contact }) => is_billing_contact);
  if (data === undefined) return error === null ? ' ' : error.message;
  const isActive = contact !== undefined && contact.deactivated_at === null;
  return (
    <>
      {contact === undefined ? 'None' : contact.email}
      {contact !== undefined && !isActive && ' (deactivated)'}
      {!isActive && '. Orders are attributed to the longest-standing admin.'}{' '}
      <Link
        to="/$organizationId/$environment/members"
        params={params}
        className="whitespace-nowrap text-accent underline underline-offset-2"
      >
        {may('members') ? 'Change it under Members' : 'View members'}
      </Link>
    </>
  );
}
