import { dateOf } from 'bestow-readers/time.ts';
import { useEffect, useState } from 'react';
import { askToSignIn } from '../../api/fresh-sign-in.ts';
import { useSession } from '../api/use-session.ts';

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 10_000;
/** When the end is named in a colour. */
const SOON_MINUTES = 5;

/** Says when the session ends; after that, offers to sign in. */
export function SessionEnd() {
  const { email, expires_at } = useSession();
  const minutes = useMinutesTo(expires_at);
  if (minutes <= 0)
    return (
      <button
        type="button"
        onClick={() => void askToSignIn('sign_in_required')}
        className="rounded-full bg-on-band px-3 py-1 text-sm font-semibold text-band"
      >
        Session ended. Sign in
      </button>
    );
  return (
    <p className="min-w-0 shrink-0 text-right text-sm leading-5">
      <span className="hidden truncate sm:block">{email}</span>
      <span className={`whitespace-nowrap ${minutes <= SOON_MINUTES ? 'font-semibold' : 'text-on-band-soft'}`}>
        <span className="max-sm:sr-only">Session </span>ends in {minutes} min
      </span>
    </p>
  );
}

function useMinutesTo(end: string): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((dateOf(end).getTime() - nowMs) / MINUTE_MS);
}
