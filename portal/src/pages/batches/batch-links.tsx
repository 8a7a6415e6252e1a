import { useState } from 'react';
import { servicePath } from '../../base/address.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { downloadConfirmed } from '../../ui/export-link.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { useAct } from '../../ui/use-act.ts';

/** The button that downloads the results with the links of unclaimed gifts. @param href of the file */
export function BatchLinks({ href }: { href: string }) {
  const [isAsked, setIsAsked] = useState(false);
  const download = useAct({
    send: () => downloadConfirmed(`${servicePath}${href}`),
    onDone: () => setIsAsked(false),
  });
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>
        <DownloadIcon /> Download links
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title="Download the links?"
        description="Anyone with a link can claim its gift, so share this file only with those who hand out the gifts. It has the results of all rows, and the links of unclaimed gifts that are not on hold. The audit log records the download."
        action="Download links"
        isDanger={false}
        act={download}
      />
    </>
  );
}
