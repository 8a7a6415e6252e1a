import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ResendDialog } from './gifts-resend-dialog.tsx';

/** Sends the gifts that the list's filters find once more. */
export function ResendGifts({ filters }: { filters: Record<string, string | undefined> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Send again …</Button>
      {isOpen && <ResendDialog filters={filters} onClose={() => setIsOpen(false)} />}
    </>
  );
}
