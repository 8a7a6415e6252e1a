import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reason } from '../../api/fresh-sign-in.ts';
import { canUsePasskeys, signInWithPasskey } from '../../api/sign-in.ts';
import { ConfirmationForm, type Way } from '../../layout/confirmation-form.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAct } from '../../ui/use-act.ts';
import { beginSession, sessionQuery } from '../api/session.ts';

const words = {
  sign_in_again: {
    title: 'Confirm that it is you',
    why: 'You proved this more than 10 minutes ago.',
    action: 'Confirm',
  },
  sign_in_required: { title: 'Sign in to continue', why: 'Your session of an hour has ended.', action: 'Sign in' },
} as const;

interface ProofDialogProps {
  reason: Reason;
  onClose: (isDone: boolean) => void;
}

/** Asks for a passkey or a code of the authenticator app, then begins another session. The page below keeps what was typed. */
export function ProofDialog({ reason, onClose }: ProofDialogProps) {
  const { data: session } = useQuery({ ...sessionQuery, staleTime: Number.POSITIVE_INFINITY });
  const [way, setWay] = useState<Way>('app');
  const finish = useFinish(session?.email, reason, onClose);
  const passkey = useAct({
    isRead: true,
    send: async () => {
      await signInWithPasskey();
      await finish();
    },
  });
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
      <div className={canUsePasskeys() ? 'mt-5' : ''}>
        <ConfirmationForm
          key={way}
          way={way}
          action={action}
          email={session?.email ?? ''}
          passkeyError={passkey.error}
          onConfirmed={finish}
          onSecondFactor={() => setWay('app')}
          onSignedOut={() => setWay('email')}
          onCancel={() => onClose(false)}
        />
      </div>
      {way !== 'email' && (
        <p className="mt-4">
          <Button variant="quiet" size="small" onClick={() => setWay(way === 'app' ? 'recovery' : 'app')}>
            {way === 'app' ? 'Use a recovery code' : 'Use the authenticator app'}
          </Button>
        </p>
      )}
    </Dialog>
  );
}

/** Begins the session and sends again what was refused. Another person gets a new page, without what the first one typed. */
function useFinish(email: string | undefined, reason: Reason, onClose: ProofDialogProps['onClose']) {
  const queryClient = useQueryClient();
  return async () => {
    const begun = await beginSession();
    if (begun.email !== email) return window.location.reload();
    queryClient.setQueryData(sessionQuery.queryKey, begun);
    onClose(true);
    if (reason === 'sign_in_required') await queryClient.invalidateQueries();
  };
}
