import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../../api/me.ts';
import { WordmarkPicture } from '../../layout/wordmark.tsx';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { AccountEvents } from './account-events.tsx';
import { AccountInvitations } from './account-invitations.tsx';
import { AccountName } from './account-name.tsx';
import { AccountPasskeys } from './account-passkeys.tsx';
import { AccountSecondFactor } from './account-second-factor.tsx';
import { AccountSessions } from './account-sessions.tsx';

/** The person's sign-in settings, which are the same in every organization. */
export function AccountPage() {
  const me = useQuery(meQuery);
  const memberships = me.data?.memberships ?? [];
  return (
    <div className="min-h-dvh border-t-6 border-accent">
      <header className="mx-auto flex max-w-4xl items-center justify-between gap-4 px-4 pt-5 sm:px-8">
        <Link to="/" className="inline-flex text-ink" aria-label="Bestow, overview">
          <WordmarkPicture />
        </Link>
        {memberships.length > 0 && (
          <Link to="/" className="font-semibold text-accent hover:underline">
            Back to the overview
          </Link>
        )}
      </header>
      <main className="mx-auto max-w-4xl">
        <Page title="Your account" description="How you sign in, and where you are signed in.">
          <AccountInvitations invitations={me.data?.invitations ?? []} />
          {me.data !== undefined && memberships.length === 0 && me.data.invitations.length === 0 && (
            <p role="status" className="rounded-xl border border-line bg-sunken px-4 py-3">
              You are not a member of any organization. Ask an admin to invite you.
            </p>
          )}
          <Panel title="You">
            <Facts
              facts={[
                ['Email address', me.data?.email ?? ' '],
                ['Organizations', memberships.map(({ organization_name }) => organization_name).join(', ') || 'None'],
              ]}
            />
            {me.data !== undefined && <AccountName key={me.data.name} saved={me.data.name ?? ''} />}
          </Panel>
          <AccountPasskeys />
          <AccountSecondFactor isOn={me.data?.has_second_factor ?? false} />
          <AccountSessions />
          <AccountEvents />
        </Page>
      </main>
    </div>
  );
}
