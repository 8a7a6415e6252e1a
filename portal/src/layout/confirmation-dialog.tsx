import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import {
  canUsePasskeys,
  sendCode,
  signInWithCode,
  signInWithPasskey,
  verifyBackupCode,
  verifyTotp,
  withoutBlanks,
} from '../api/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { TextField } from '../ui/field.tsx';

type Way = 'app' | 'recovery' | 'email';

const fields = {
  app: { label: 'Code from your authenticator app', hint: 'Six digits that change every 30 seconds.' },
  recovery: { label: 'Recovery code', hint: 'One of the codes that you saved. Each works once.' },
  email: { label: 'Code from the email', hint: 'Six digits. The code works for 10 minutes.' },
} as const;

/** Asks for a fresh code or a passkey. The page below keeps what the person typed. */
export function ConfirmationDialog({ onClose }: { onClose: (isConfirmed: boolean) => void }) {
  const { data: me } = useQuery(meQuery);
  const queryClient = useQueryClient();
  const [isRecovering, setIsRecovering] = useState(false);
  const confirmed = () => {
    void queryClient.invalidateQueries({ queryKey: ['sessions'] });
    onClose(true);
  };
  const passkey = useMutation({ meta: { isRead: true }, mutationFn: signInWithPasskey, onSuccess: confirmed });
  const way: Way = me?.has_second_factor ? (isRecovering ? 'recovery' : 'app') : 'email';
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title="Confirm that it is you"
      description="You signed in more than 10 minutes ago. What you typed is kept, and we continue right after this."
    >
      {canUsePasskeys() && (
        <Button onClick={() => passkey.mutate()} isBusy={passkey.isPending}>
          Use a passkey
        </Button>
      )}
      {me !== undefined && (
        <div className={canUsePasskeys() ? 'mt-5' : ''}>
          <CodeForm
            key={way}
            way={way}
            email={me.email}
            passkeyError={passkey.error}
            onConfirmed={confirmed}
            onCancel={() => onClose(false)}
          />
        </div>
      )}
      {me?.has_second_factor && (
        <p className="mt-4">
          <Button variant="quiet" size="small" onClick={() => setIsRecovering(!isRecovering)}>
            {isRecovering ? 'Use the authenticator app' : 'Use a recovery code'}
          </Button>
        </p>
      )}
    </Dialog>
  );
}

interface CodeFormProps {
  way: Way;
  email: string;
  passkeyError: Error | null;
  onConfirmed: () => void;
  onCancel: () => void;
}

function CodeForm({ way, email, passkeyError, onConfirmed, onCancel }: CodeFormProps) {
  const [code, setCode] = useState('');
  const sending = useMutation({ meta: { isRead: true }, mutationFn: () => sendCode(email) });
  const confirmation = useMutation({
    meta: { isRead: true },
    mutationFn: (): Promise<object> => {
      const sent = withoutBlanks(code);
      if (way === 'email') return signInWithCode(email, sent);
      return way === 'app' ? verifyTotp(sent) : verifyBackupCode(sent);
    },
    onSuccess: onConfirmed,
  });
  const mustSend = way === 'email' && !sending.isSuccess;
  return (
    <DialogForm
      onSubmit={() => (mustSend ? sending.mutate() : confirmation.mutate())}
      onCancel={onCancel}
      error={confirmation.error ?? sending.error ?? plain(passkeyError)}
      isBusy={confirmation.isPending || sending.isPending}
      action={mustSend ? 'Send code' : 'Confirm'}
    >
      {mustSend ? (
        <p>
          We’ll email a code to <bdi className="font-semibold wrap-anywhere">{email}</bdi>.
        </p>
      ) : (
        <TextField
          {...fields[way]}
          value={code}
          onChange={setCode}
          inputMode={way === 'recovery' ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          autoFocus
          className="font-mono"
        />
      )}
    </DialogForm>
  );
}

/** Replaces the browser's technical messages. */
const plain = (error: Error | null) =>
  error === null || error instanceof ApiError ? error : new Error('No passkey was used. Try again, or use a code.');
