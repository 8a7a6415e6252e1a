import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { sendCode, signInWithCode, verifyBackupCode, verifyTotp, withoutBlanks } from '../api/sign-in.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { TextField } from '../ui/field.tsx';
import { useAct } from '../ui/use-act.ts';

export type Way = 'app' | 'recovery' | 'email';

const fields = {
  app: { label: 'Code from your authenticator app', hint: 'Six digits that change every 30 seconds.' },
  recovery: { label: 'Recovery code', hint: 'One of the codes that you saved. Each works once.' },
  email: { label: 'Code from the email', hint: 'Six digits. The code works for 10 minutes.' },
} as const;

interface ConfirmationFormProps {
  way: Way;
  /** On the button that sends the code. */
  action: string;
  email: string;
  passkeyError: Error | null;
  onConfirmed: () => Promise<void>;
  /** The code was right, and the authenticator app comes next. */
  onSecondFactor: () => void;
  /** No session is left to prove a second factor in: the code by email comes first. */
  onSignedOut?: () => void;
  onCancel: () => void;
}

/** Asks for one code, which may have to be sent first. */
export function ConfirmationForm(props: ConfirmationFormProps) {
  const { way, action, email, passkeyError, onConfirmed, onSecondFactor, onSignedOut, onCancel } = props;
  const [code, setCode] = useState('');
  const sending = useAct({ isRead: true, send: () => sendCode(email) });
  const confirmation = useAct({
    isRead: true,
    send: (): Promise<{ twoFactorRedirect?: boolean }> => {
      const sent = withoutBlanks(code);
      if (way === 'email') return signInWithCode(email, sent);
      return way === 'app' ? verifyTotp(sent) : verifyBackupCode(sent);
    },
    onDone: ({ twoFactorRedirect }) => (twoFactorRedirect ? onSecondFactor() : onConfirmed()),
    onRefused: (error) => {
      if (error instanceof ApiError && error.code === 'INVALID_TWO_FACTOR_COOKIE') onSignedOut?.();
    },
  });
  const mustSend = way === 'email' && !sending.isSuccess;
  return (
    <DialogForm
      onSubmit={() => (mustSend ? sending.mutate() : confirmation.mutate())}
      onCancel={onCancel}
      error={confirmation.error ?? sending.error ?? plain(passkeyError)}
      isBusy={confirmation.isPending || sending.isPending}
      action={mustSend ? 'Send code' : action}
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
