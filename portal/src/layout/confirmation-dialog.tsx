import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import type { Reason } from '../api/fresh-sign-in.ts';
import { meQuery } from '../api/me.ts';
import { canUsePasskeys, signInWithPasskey } from '../api/sign-in.ts';
import { portalPath } from '../base/address.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAct } from '../ui/use-act.ts';
import { ConfirmationForm, type Way } from './confirmation-form.tsx';

const words = {
  sign_in_again: { title: 'Confirm that it is you', why: 'You signed in more than 10 minutes ago.', action: 'Confirm' },
  sign_in_required: { title: 'Sign in to continue', why: 'Your session has ended.', action: 'Sign in' },
} as const;

interface ConfirmationDialogProps {
  reason: Reason;
  onClose: (isDone: boolean) => void;
}

/** Asks for a fresh code or a passkey. The page below keeps what the person typed. */
export function ConfirmationDialog({ reason, onClose }: ConfirmationDialogProps) {
  const { data: me } = useQuery({ ...meQuery, staleTime: Number.POSITIVE_INFINITY });
  const [isRecovering, setIsRecovering] = useState(false);
  // Without a session, the authenticator app is the second step.
  const [isFirst, setIsFirst] = useState(reason === 'sign_in_required');
  const finish = useFinish(me?.email, reason, onClose);
  useSignedInElsewhere(reason === 'sign_in_required', finish);
  const passkey = useAct({ isRead: true, send: signInWithPasskey, onDone: finish });
  const usesApp = me?.has_second_factor === true && !isFirst;
  const way: Way = usesApp ? (isRecovering ? 'recovery' : 'app') : 'email';
  const { title, why, action } = words[reason];
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title={title}
      description={`${why} What you typed is kept, and we continue right after this.`}
    >
      {canUsePasskeys() && (
        <Button onClick={() => passkey.mutate()} isBusy={passkey.isPending}>
          Use a passkey
        </Button>
      )}
      {me !== undefined && (
        <div className={canUsePasskeys() ? 'mt-5' : ''}>
          <ConfirmationForm
            key={way}
            way={way}
            action={action}
            email={me.email}
            passkeyError={passkey.error}
            onConfirmed={finish}
            onSecondFactor={() => setIsFirst(false)}
            onCancel={() => onClose(false)}
          />
        </div>
      )}
      <p className="mt-4">
        {usesApp ? (
          <Button variant="quiet" size="small" onClick={() => setIsRecovering(!isRecovering)}>
            {isRecovering ? 'Use the authenticator app' : 'Use a recovery code'}
          </Button>
        ) : (
          reason === 'sign_in_required' && <SignInElsewhere />
        )}
      </p>
    </Dialog>
  );
}

/** Reads again what was refused. Another person gets a new page, without what the first one typed. */
function useFinish(email: string | undefined, reason: Reason, onClose: ConfirmationDialogProps['onClose']) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    const now = await unwrap(api.GET('/portal/api/me'));
    if (now.email !== email) return window.location.reload();
    onClose(true);
    if (reason === 'sign_in_again') return queryClient.invalidateQueries({ queryKey: ['sessions'] });
    queryClient.setQueryData(meQuery.queryKey, now);
    void queryClient.invalidateQueries();
    await router.invalidate();
  };
}

/** Calls `finish` when the person comes back from another tab in which they signed in. */
function useSignedInElsewhere(isOut: boolean, finish: () => Promise<void>): void {
  useEffect(() => {
    const look = async () => {
      // Not by `api`, which would wait for this dialog.
      if (isOut && (await fetch(`${portalPath}/api/me`).catch(() => undefined))?.ok) await finish();
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  });
}

function SignInElsewhere() {
  const { publicHref } = useLocation();
  return (
    <a
      href={`${portalPath}/sign-in?return_to=${encodeURIComponent(publicHref)}`}
      className="text-sm font-semibold text-accent underline"
    >
      Sign in as someone else
    </a>
  );
}
