import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../../../api/client.ts';
import { signOut } from '../../../api/sign-in.ts';
import { portalPath } from '../../../base/address.ts';
import { SignInSteps } from '../../../pages/sign-in/sign-in-steps.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { operatorPath } from '../../api/client.ts';
import { beginSession, sessionQuery } from '../../api/session.ts';
import { OperatorMark } from '../../layout/operator-shell.tsx';

const route = getRouteApi('/sign-in');

/** Begins a session right away for someone who has just proved a second factor, else signs them in first. */
export function OperatorSignInPage() {
  const begun = useQuery({
    queryKey: ['begin-session'],
    queryFn: beginSession,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useGoOn(begun.data !== undefined);
  const begin = async () => {
    await begun.refetch();
  };
  if (begun.error === null)
    return (
      <BandPanel title="Sign in">
        <Skeleton lines={3} />
      </BandPanel>
    );
  return <Refused error={begun.error} onBegin={begin} />;
}

/** Goes to the wanted page as soon as the session has begun. */
function useGoOn(isBegun: boolean) {
  const { return_to: returnTo } = route.useSearch();
  const navigate = useNavigate();
  const router = useRouter();
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the session has begun
  useEffect(() => {
    if (!isBegun) return;
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
    // Only URLs of this page, so that a link to the sign-in cannot redirect to another site.
    if (returnTo?.startsWith(`${operatorPath}/`)) router.history.replace(returnTo);
    else void navigate({ to: '/', replace: true });
  }, [isBegun]);
}

/** What to do for the reason that no session has begun. */
function Refused({ error, onBegin }: { error: Error; onBegin: () => Promise<void> }) {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === 'sign_in_required')
    return <SignInSteps key={code} panel={BandPanel} who="an operator or a member" onSignedIn={onBegin} />;
  if (code === 'sign_in_again')
    return (
      <SignInSteps
        key={code}
        panel={BandPanel}
        start="second-factor"
        who="an operator or a member"
        onSignedIn={onBegin}
      />
    );
  if (code === 'second_factor_required') return <WithoutSecondFactor onBegin={onBegin} />;
  if (code === 'not_found')
    return (
      <BandPanel title="This address is no operator’s">
        <p className="mt-2 text-soft">
          You are signed in with an address that may not open this page. An operator adds one with{' '}
          <code className="font-mono text-[0.867em]">bestow operator add</code>.
        </p>
        <SomeoneElse onBegin={onBegin} />
      </BandPanel>
    );
  return (
    <BandPanel title="Sign in">
      <ErrorState error={error} onRetry={() => void onBegin()} />
    </BandPanel>
  );
}

/** The page may have a port of its own, where the portal is not. */
const portalAddress = () => document.querySelector<HTMLMetaElement>('meta[name=portal]')?.content || portalPath;

const WithoutSecondFactor = ({ onBegin }: { onBegin: () => Promise<void> }) => (
  <BandPanel title="Set up a second factor">
    <p className="mt-2 text-soft">
      Operators need a passkey or an authenticator app. Set one up in your account, then come back and sign in with it.
    </p>
    <p className="mt-5">
      <a href={`${portalAddress()}/account`} className={buttonClass({ variant: 'primary' })}>
        Open your account
      </a>
    </p>
    <SomeoneElse onBegin={onBegin} label="Sign in again" />
  </BandPanel>
);

/** Signs out of the portal, so that another person, or the same with a second factor, can sign in. */
function SomeoneElse({ onBegin, label = 'Sign in as someone else' }: { onBegin: () => Promise<void>; label?: string }) {
  const startAgain = async () => {
    await signOut();
    await onBegin();
  };
  return (
    <p className="mt-3">
      <Button onClick={() => void startAgain()}>{label}</Button>
    </p>
  );
}

/** One panel below the dark band. */
const BandPanel = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-h-dvh">
    <header className="bg-band px-4 py-3 text-on-band sm:px-8">
      <p className="mx-auto flex max-w-6xl items-center gap-3">
        <OperatorMark />
      </p>
    </header>
    <main className="mx-auto mt-10 w-[min(28rem,calc(100%-2rem))] rounded-2xl border border-line bg-surface p-6 shadow-soft sm:mt-20 sm:p-8">
      <h1 className="text-2xl leading-8 wrap-anywhere">{title}</h1>
      {children}
    </main>
  </div>
);
