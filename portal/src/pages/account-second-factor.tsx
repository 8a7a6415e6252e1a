import { useMutation, useQueryClient } from '@tanstack/react-query';
import qrcode from 'qrcode-generator';
import { useState } from 'react';
import { meQuery } from '../api/me.ts';
import { disableTotp, enableTotp, verifyTotp, withoutBlanks } from '../api/sign-in.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { Panel } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';

/** An authenticator app’s code after the code by email. */
export function AccountSecondFactor({ isOn }: { isOn: boolean }) {
  const [open, setOpen] = useState<'set-up' | 'turn-off'>();
  return (
    <Panel
      title="Authenticator app"
      description="A second code, from an app on your phone, whenever you sign in with a code by email."
      actions={
        <Button
          size="small"
          variant={isOn ? 'danger' : 'secondary'}
          onClick={() => setOpen(isOn ? 'turn-off' : 'set-up')}
        >
          {isOn ? 'Turn off' : 'Set up'}
        </Button>
      }
    >
      <p>{isOn ? <Badge tone="good">On</Badge> : <Badge tone="plain">Off</Badge>}</p>
      {open === 'set-up' && <SetUpDialog onClose={() => setOpen(undefined)} />}
      {open === 'turn-off' && <TurnOffDialog onClose={() => setOpen(undefined)} />}
    </Panel>
  );
}

/** First the recovery codes and the app’s secret, then a code of the app as the proof that it works. */
function SetUpDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('');
  const queryClient = useQueryClient();
  const say = useToast();
  const start = useMutation({ mutationFn: enableTotp });
  const proof = useMutation({
    mutationFn: () => verifyTotp(withoutBlanks(code)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      say('The authenticator app is set up.');
      onClose();
    },
  });
  if (start.data === undefined)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="Set up an authenticator app"
        description="You need an app such as Google Authenticator, 1Password or Aegis."
      >
        <FormError error={start.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => start.mutate()} isBusy={start.isPending}>
            Start
          </Button>
        </DialogActions>
      </Dialog>
    );
  const { totpURI, backupCodes } = start.data;
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Set up an authenticator app"
      description="Scan the picture with the app, or type its secret."
    >
      <QrCode text={totpURI} />
      <p className="mt-3 flex items-center justify-center gap-2 font-mono text-sm wrap-anywhere">
        {secret} <CopyButton text={secret} label="Copy secret" isIconOnly />
      </p>
      <h3 className="mt-6 text-base">Recovery codes</h3>
      <p className="mt-1 text-soft">
        Keep them where you keep passwords. Each signs you in once, should you lose the phone.
      </p>
      <ul className="mt-3 grid grid-cols-2 gap-x-4 gap-y-1 rounded-xl bg-sunken px-4 py-3 font-mono text-sm">
        {backupCodes.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <p className="mt-2">
        <CopyButton text={backupCodes.join('\n')} label="Copy recovery codes" />
      </p>
      <form
        className="mt-6"
        onSubmit={(event) => {
          event.preventDefault();
          proof.mutate();
        }}
      >
        <TextField
          label="Code from the app"
          value={code}
          onChange={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          className="font-mono"
        />
        <FormError error={proof.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={proof.isPending}>
            Turn on
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const say = useToast();
  const turningOff = useMutation({
    mutationFn: disableTotp,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      say('The authenticator app is turned off.');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Turn off the authenticator app?"
      description="Then a code by email alone signs you in. Its recovery codes end."
      action="Turn off"
      isBusy={turningOff.isPending}
      error={turningOff.error}
      onConfirm={() => turningOff.mutate()}
    />
  );
}

const QUIET_MODULES = 4;

/** Dark on light in both themes: cameras expect it. */
function QrCode({ text }: { text: string }) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const size = count + 2 * QUIET_MODULES;
  let path = '';
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < count; column += 1)
      if (code.isDark(row, column)) path += `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`;
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="The secret for the app as a picture"
      className="mx-auto size-52 rounded-xl"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
