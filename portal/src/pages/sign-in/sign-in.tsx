import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import {
  canUsePasskeys,
  sendCode,
  signInWithPasskey,
  verifyBackupCode,
  verifyTotp,
  withoutBlanks,
} from '../../api/sign-in.ts';
import { portalPath } from '../../base/address.ts';
import { SinglePanel } from '../../layout/single-panel.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { submit } from '../../ui/submit.ts';
import { CodeStep } from './sign-in-code.tsx';

type Step = 'email' | 'code' | 'second-factor' | 'recovery';

const route = getRouteApi('/sign-in');

const titles: Record<Step, string> = {
  email: 'Sign in',
  code: 'Enter the code',
  'second-factor': 'Enter a second code',
  recovery: 'Recovery code',
};

/** Signs in with a code by email or a passkey, then with the authenticator app if the person has set one up. */
export function SignInPage() {
  const { return_to: returnTo } = route.useSearch();
  const [step, setStep] = useState<Step>('email');
  const [email, setEmail] = useState('');
  const [someAreMissing, setSomeAreMissing] = useState(false);
  const finish = useFinish(returnTo);
  useEffect(() => {
    document.title = `${titles[step]} · Bestow`;
  }, [step]);

  return (
    <SinglePanel title={titles[step]}>
      {step === 'email' && (
        <EmailStep
          email={email}
          setEmail={setEmail}
          onSent={(sent) => {
            setSomeAreMissing(sent.some_are_missing === true);
            setStep('code');
          }}
          onSignedIn={finish}
        />
      )}
      {step === 'code' && (
        <CodeStep
          email={email}
          someAreMissing={someAreMissing}
          onSignedIn={finish}
          onSecondFactor={() => setStep('second-factor')}
          onBack={() => setStep('email')}
        />
      )}
      {step === 'second-factor' && (
        <SecretStep
          key="totp"
          label="Code from your authenticator app"
          hint="Six digits that change every 30 seconds."
          isNumeric
          verify={verifyTotp}
          onSignedIn={finish}
          onStartAgain={() => setStep('email')}
        >
          <Button variant="quiet" onClick={() => setStep('recovery')}>
            Use a recovery code
          </Button>
        </SecretStep>
      )}
      {step === 'recovery' && (
        <SecretStep
          key="recovery"
          label="Recovery code"
          hint="One of the codes that you saved when you set up the app. Each works once."
          verify={verifyBackupCode}
          onSignedIn={finish}
          onStartAgain={() => setStep('email')}
        >
          <Button variant="quiet" onClick={() => setStep('second-factor')}>
            Use the authenticator app
          </Button>
        </SecretStep>
      )}
    </SinglePanel>
  );
}

/** Leaves the page after a sign-in. */
function useFinish(returnTo: string | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  return async () => {
    queryClient.clear();
    // Only portal URLs, so that a link to this page cannot redirect to another site.
    const isOwn = returnTo !== undefined && (returnTo === portalPath || returnTo.startsWith(`${portalPath}/`));
    if (isOwn) router.history.replace(returnTo);
    else await navigate({ to: '/', replace: true });
  };
}

interface EmailStepProps {
  email: string;
  setEmail: (email: string) => void;
  onSent: (sent: Awaited<ReturnType<typeof sendCode>>) => void;
  onSignedIn: () => Promise<void>;
}

function EmailStep({ email, setEmail, onSent, onSignedIn }: EmailStepProps) {
  const sending = useMutation({ mutationFn: () => sendCode(email.trim()), onSuccess: onSent });
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
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

function SecretStep(props: SecretStepProps) {
  const { label, hint, isNumeric = false, verify, onSignedIn, onStartAgain, children } = props;
  const [code, setCode] = useState('');
  const verification = useMutation({ mutationFn: () => verify(withoutBlanks(code)), onSuccess: onSignedIn });
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
