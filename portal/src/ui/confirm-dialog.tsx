import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';
import { TextField } from './field.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and what it breaks. */
  description: ReactNode;
  /** Names the action: “Revoke key”, never “OK”. */
  action: string;
  /** Closes the dialog: “Keep gift”; “Cancel” if it is missing. */
  dismiss?: string;
  isDanger?: boolean;
  act: { mutate: () => void; isPending: boolean; error: Error | null };
  /** A text that the person must type first. */
  typed?: string;
  /** More fields. */
  children?: ReactNode;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, description, action, isDanger = true, act, typed } = props;
  const [text, setText] = useState('');
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} description={description}>
      <DialogForm
        onSubmit={() => act.mutate()}
        onCancel={close}
        error={act.error}
        isBusy={act.isPending}
        action={action}
        dismiss={props.dismiss}
        isDanger={isDanger}
        isIncomplete={typed !== undefined && text.trim() !== typed}
      >
        {props.children}
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to confirm`}
            value={text}
            onChange={setText}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
