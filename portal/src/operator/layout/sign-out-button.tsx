import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../../api/sign-in.ts';
import { useAct } from '../../ui/use-act.ts';
import { endSession } from '../api/session.ts';

/** Ends the session, and the sign-in to the portal, which could begin another session for ten minutes. */
export function SignOutButton() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signingOut = useAct({
    isRead: true,
    send: async () => {
      await endSession();
      await signOut();
    },
    onDone: async () => {
      queryClient.clear();
      await navigate({ to: '/sign-in', replace: true });
    },
    saysRefusal: true,
  });
  return (
    <button
      type="button"
      onClick={() => signingOut.mutate()}
      disabled={signingOut.isPending}
      className="rounded-full border border-on-band-soft/60 px-3 py-1 text-sm font-semibold whitespace-nowrap hover:bg-band-raised"
    >
      Sign out
    </button>
  );
}
