import { lazy, Suspense, useState } from 'react';
import type { components } from '../api/schema.d.ts';
import { Button } from '../ui/button.tsx';

type Gift = components['schemas']['GiftSummary'];

const ResendDialog = lazy(async () => ({ default: (await import('./gifts-resend-dialog.tsx')).ResendDialog }));

/** The rule of the act in server/src/gifts/send-again.ts, as far as a row shows it. */
const mayBeResent = ({ method, address, claimed_at, canceled_at, held_by }: Gift) =>
  method !== 'link' && address !== null && claimed_at === null && canceled_at === null && held_by === null;

/** Sends several gifts of the shown page once more. */
export function ResendGifts({ gifts }: { gifts: readonly Gift[] }) {
  /** As they were when the dialog opened: the list changes under it. */
  const [chosen, setChosen] = useState<readonly Gift[]>();
  const resendable = gifts.filter(mayBeResent);
  return (
    <>
      <Button disabled={resendable.length === 0} onClick={() => setChosen(resendable)}>
        Send again …
      </Button>
      {chosen !== undefined && (
        <Suspense>
          <ResendDialog gifts={chosen} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  );
}
