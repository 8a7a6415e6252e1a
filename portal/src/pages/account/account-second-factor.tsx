import qrcode from 'qrcode-generator';
import { useState } from 'react';
import { disableTotp, enableTotp, verifyTotp, withoutBlanks } from '../../api/sign-in.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';

/** Sets up or turns off the authenticator app. */
export function AccountSecondFactor({ isOn }: { isOn: boolean }) {
  const [open, setOpen] = useState<'set-up' | 'turn-off'>();
  return (
    <Panel
      title="Authenticator app"
      description="Asks for a second code, from an app on your phone, after the code by email."
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

/** Shows the secret and the recovery codes, then asks for a code to prove that the app works. */
function SetUpDialog({ onClose }: { onClose: () => void }) {
  const start = useAct({ send: enableTotp });
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
      description="Scan the QR code with the app, or type the secret."
    >
      <QrCode text={totpURI} />
      <p className="mt-3 flex items-center justify-center gap-2 font-mono text-sm wrap-anywhere">
        {secret} <CopyButton text={secret} label="Copy secret" isIconOnly />
      </p>
      <h3 className="mt-6 text-base">Recovery codes</h3>
      <p className="mt-1 text-soft">
        Save them with your passwords. If you lose your phone, each code signs you in once.
      </p>
      <ul className="mt-3 grid grid-cols-2 gap-x-4 gap-y-1 rounded-xl bg-sunken px-4 py-3 font-mono text-sm">
        {backupCodes.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <p className="mt-2">
        <CopyButton text={backupCodes.join('\n')} label="Copy recovery codes" />
      </p>
      <div className="mt-6">
        <ProofForm onClose={onClose} />
      </div>
    </Dialog>
  );
}

function ProofForm({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('');
  const proof = useAct({
    send: () => verifyTotp(withoutBlanks(code)),
    alsoChanges: ['me', 'sign-in-events'],
    done: 'Authenticator app set up.',
    onDone: onClose,
  });
  return (
    <DialogForm
      onSubmit={() => proof.mutate()}
      onCancel={onClose}
      error={proof.error}
      isBusy={proof.isPending}
      action="Turn on"
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
    </DialogForm>
  );
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const turningOff = useAct({
    send: disableTotp,
    alsoChanges: ['me', 'sign-in-events'],
    done: 'Authenticator app turned off.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Turn off the authenticator app?"
      description="You will sign in with a code by email only. The recovery codes stop working."
      action="Turn off"
      act={turningOff}
    />
  );
}

const QUIET_MODULES = 4;

/** Dark on light in both themes, because cameras expect it. */
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
      aria-label="QR code of the secret"
      className="mx-auto size-52 rounded-xl"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
