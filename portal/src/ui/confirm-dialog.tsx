import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { FormError, TextField } from './field.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and what it breaks. */
  description: ReactNode;
  /** Says the act itself: “Revoke key”, never “OK”. */
  action: string;
  isDanger?: boolean;
  isBusy: boolean;
  error: Error | null;
  onConfirm: () => void;
  /** Where it must not happen by mistake: the text to type first. */
  typed?: string;
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, description, action, isDanger = true, isBusy, error, onConfirm, typed } = props;
  const [text, setText] = useState('');
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} description={description}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to go on`}
            value={text}
            onChange={setText}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <FormError error={error} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={typed !== undefined && text.trim() !== typed}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
