import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { verifyBackupCode, verifyTotp } from '../../api/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CodeStep } from './sign-in-code.tsx';
import { EmailStep, SecretStep } from './sign-in-fields.tsx';

type Step = 'email' | 'code' | 'second-factor' | 'recovery';

const titles: Record<Step, string> = {
  email: 'Sign in',
  code: 'Enter the code',
  'second-factor': 'Enter a second code',
  recovery: 'Recovery code',
};

interface SignInStepsProps {
  panel: ComponentType<{ title: string; children: ReactNode }>;
  /** The step to begin with: someone who has signed in may only need to prove the second factor. */
  start?: 'email' | 'second-factor';
  /** Who gets a code: `a member`. */
  who: string;
  onSignedIn: () => Promise<void>;
}

/** The steps of a sign-in: a code by email or a passkey, then the authenticator app if the person has set one up. */
export function SignInSteps({ panel: SignInPanel, start = 'email', who, onSignedIn }: SignInStepsProps) {
  const [step, setStep] = useState<Step>(start);
  const [email, setEmail] = useState('');
  const [someAreMissing, setSomeAreMissing] = useState(false);
  useEffect(() => {
    document.title = `${titles[step]} · Bestow`;
  }, [step]);

  return (
    <SignInPanel title={titles[step]}>
      {step === 'email' && (
        <EmailStep
          email={email}
          setEmail={setEmail}
          onSent={(sent) => {
            setSomeAreMissing(sent.some_are_missing === true);
            setStep('code');
          }}
          onSignedIn={onSignedIn}
        />
      )}
      {step === 'code' && (
        <CodeStep
          email={email}
          who={who}
          someAreMissing={someAreMissing}
          onSignedIn={onSignedIn}
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
          onSignedIn={onSignedIn}
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
          onSignedIn={onSignedIn}
          onStartAgain={() => setStep('email')}
        >
          <Button variant="quiet" onClick={() => setStep('second-factor')}>
            Use the authenticator app
          </Button>
        </SecretStep>
      )}
    </SignInPanel>
  );
}
