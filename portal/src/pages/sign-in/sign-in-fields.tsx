import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { canUsePasskeys, sendCode, signInWithPasskey, withoutBlanks } from '../../api/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { submit } from '../../ui/submit.ts';
import { useAct } from '../../ui/use-act.ts';

interface EmailStepProps {
  email: string;
  setEmail: (email: string) => void;
  onSent: (sent: Awaited<ReturnType<typeof sendCode>>) => void;
  onSignedIn: () => Promise<void>;
}

/** Asks for the address, or takes a passkey. */
export function EmailStep({ email, setEmail, onSent, onSignedIn }: EmailStepProps) {
  const sending = useAct({ send: () => sendCode(email.trim()), onDone: onSent });
  const passkey = useAct({ isRead: true, send: signInWithPasskey, onDone: onSignedIn });
  // Clear the error of the other action.
  const send = () => {
    passkey.reset();
    sending.mutate();
  };
  const choosePasskey = () => {
    sending.reset();
    passkey.mutate();
  };
  return (
    <>
      <p className="mt-2 text-soft">We’ll email you a code. There is no password.</p>
      <form className="mt-5" onSubmit={submit(send)}>
        <TextField
          label="Email address"
          type="email"
          name="email"
          value={email}
          onChange={setEmail}
          autoComplete="email"
          required
          autoFocus
        />
        <FormError error={sending.error ?? passkeyError(passkey.error)} />
        <div className="mt-6 grid gap-3">
          <Button type="submit" variant="primary" isBusy={sending.isPending}>
            {sending.isPending ? 'Sending …' : 'Send code'}
          </Button>
          {canUsePasskeys() && (
            <Button onClick={choosePasskey} isBusy={passkey.isPending}>
              Sign in with a passkey
            </Button>
          )}
        </div>
      </form>
    </>
  );
}

interface SecretStepProps {
  label: string;
  hint: string;
  isNumeric?: boolean;
  verify: (code: string) => Promise<unknown>;
  onSignedIn: () => Promise<void>;
  /** For a sign-in that expired or had too many wrong codes. */
  onStartAgain: () => void;
  children: ReactNode;
}

/** Asks for a code of the authenticator app, or a recovery code. */
export function SecretStep(props: SecretStepProps) {
  const { label, hint, isNumeric = false, verify, onSignedIn, onStartAgain, children } = props;
  const [code, setCode] = useState('');
  const verification = useAct({
    isRead: true,
    send: () => verify(withoutBlanks(code)),
    onDone: onSignedIn,
  });
  return (
    <form className="mt-5" onSubmit={submit(() => verification.mutate())}>
      <TextField
        label={label}
        hint={hint}
        value={code}
        onChange={setCode}
        inputMode={isNumeric ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        required
        autoFocus
        className="font-mono"
      />
      <FormError error={verification.error} />
      <div className="mt-6 grid gap-3">
        <Button type="submit" variant="primary" isBusy={verification.isPending}>
          Sign in
        </Button>
        <div className="flex flex-wrap justify-between">
          <Button variant="quiet" onClick={onStartAgain}>
            Start again
          </Button>
          {children}
        </div>
      </div>
    </form>
  );
}

/** Replaces the browser's technical messages. */
const passkeyError = (error: Error | null) =>
  error === null || error instanceof ApiError
    ? error
    : new Error('No passkey was used. Try again, or sign in with a code.');
