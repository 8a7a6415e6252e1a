import { lazy, Suspense, useState } from 'react';
import { Button } from '../ui/button.tsx';

const ResendDialog = lazy(async () => ({ default: (await import('./gifts-resend-dialog.tsx')).ResendDialog }));

/** Sends the gifts that the list's filters find once more. */
export function ResendGifts({ filters }: { filters: Record<string, string | undefined> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Send again …</Button>
      {isOpen && (
        <Suspense>
          <ResendDialog filters={filters} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
