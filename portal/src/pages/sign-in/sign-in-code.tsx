import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { sendCode, signInWithCode, withoutBlanks } from '../../api/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { submit } from '../../ui/submit.ts';
import { useAct } from '../../ui/use-act.ts';

/** A new code ends the one that may be on its way, so the mail gets time to arrive. */
const RESEND_SECONDS = 30;

interface CodeStepProps {
  email: string;
  /** Who gets a code: `a member`. */
  who: string;
  /** Members of some organizations got no code. */
  someAreMissing: boolean;
  onSignedIn: () => Promise<void>;
  onSecondFactor: () => void;
  onBack: () => void;
}

/** Asks for the code, and sends it at its sixth digit: once, because only three attempts are allowed. */
export function CodeStep({ email, who, someAreMissing, onSignedIn, onSecondFactor, onBack }: CodeStepProps) {
  const [code, setCode] = useState('');
  const isSent = useRef(false);
  const verification = useAct({
    isRead: true,
    send: (entered: string) => signInWithCode(email.trim(), withoutBlanks(entered)),
    onDone: async ({ twoFactorRedirect }) => (twoFactorRedirect ? onSecondFactor() : await onSignedIn()),
  });
  const resend = useResend(email, () => {
    setCode('');
    isSent.current = false;
  });
  // Clear the error of the other action.
  const verify = (entered: string) => {
    resend.sending.reset();
    if (!verification.isPending) verification.mutate(entered);
  };
  const change = (typed: string) => {
    setCode(typed);
    if (isSent.current || !/^\d{6}$/.test(withoutBlanks(typed))) return;
    isSent.current = true;
    verify(typed);
  };
  const sendAgain = () => {
    verification.reset();
    resend.sending.mutate();
  };
  return (
    <>
      <Explanation email={email.trim()} who={who} someAreMissing={someAreMissing} />
      <form className="mt-5" onSubmit={submit(() => verify(code))}>
        <TextField
          label="Code"
          value={code}
          onChange={change}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          maxLength={9}
          className="font-mono text-2xl! tracking-[0.3em]"
        />
        <FormError error={verification.error ?? resend.sending.error} />
        <div className="mt-6 grid gap-3">
          <Button type="submit" variant="primary" isBusy={verification.isPending}>
            Sign in
          </Button>
          <div className="flex flex-wrap justify-between">
            <Button variant="quiet" onClick={onBack}>
              Change email address
            </Button>
            <ResendButton resend={resend} onClick={sendAgain} />
          </div>
          <p role="status" className="text-center text-sm text-soft">
            {resend.sending.isSuccess ? 'We sent a new code. The old one no longer works.' : ''}
          </p>
        </div>
      </form>
    </>
  );
}

/** Sends a new code, and counts the seconds until the next one is possible. */
function useResend(email: string, onSent: () => void) {
  const [until, setUntil] = useState(() => Date.now() + RESEND_SECONDS * 1_000);
  const [now, setNow] = useState(Date.now);
  const wait = (seconds: number) => {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1_000);
  };
  const isWaiting = now < until;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  const sending = useAct({
    send: () => sendCode(email.trim()),
    onDone: () => {
      wait(RESEND_SECONDS);
      onSent();
    },
    onRefused: (error) => {
      if (error instanceof ApiError && error.retryAfterSeconds !== undefined) wait(error.retryAfterSeconds);
    },
  });
  return { sending, secondsLeft: Math.max(0, Math.ceil((until - now) / 1_000)) };
}

interface ResendButtonProps {
  resend: ReturnType<typeof useResend>;
  onClick: () => void;
}

const ResendButton = ({ resend: { sending, secondsLeft }, onClick }: ResendButtonProps) => (
  <Button
    variant="quiet"
    onClick={onClick}
    isBusy={sending.isPending}
    disabled={secondsLeft > 0}
    aria-description={`Possible ${RESEND_SECONDS} seconds after the last code.`}
  >
    Resend code
    {secondsLeft > 0 && (
      <span aria-hidden="true" className="tabular-nums">
        in {minutesAndSeconds(secondsLeft)}
      </span>
    )}
  </Button>
);

const minutesAndSeconds = (seconds: number) => `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;

const Explanation = ({ email, who, someAreMissing }: Pick<CodeStepProps, 'email' | 'who' | 'someAreMissing'>) => (
  <>
    <p className="mt-2 text-soft">
      If <bdi className="font-semibold text-ink wrap-anywhere">{email}</bdi> belongs to {who}, we have sent a six-digit
      code. It works for 10 minutes, in this browser.
    </p>
    {someAreMissing && (
      <Hint>
        Some organizations cannot be reached at the moment. If no code arrives, we could not send it: try again in a few
        minutes.
      </Hint>
    )}
    {hasOutbox() && (
      <Hint>
        No mail server is set up, so the code is in the outbox. The start printed the outbox’s address; so does{' '}
        <code className="font-mono text-[0.867em]">server/bin/bestow.js outbox url</code> in the checkout.
      </Hint>
    )}
  </>
);

const Hint = ({ children }: { children: ReactNode }) => (
  <p className="mt-3 rounded-xl bg-warn-wash px-4 py-3 text-warn">{children}</p>
);

/** Whether sign-in codes are in the outbox of the machine that the service runs on. */
const hasOutbox = () => document.querySelector<HTMLMetaElement>('meta[name=outbox]')?.content === 'on';
