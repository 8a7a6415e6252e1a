import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { FormError } from './field.tsx';

/** Most acts are done before. */
const SAID_AFTER_SECONDS = 2;

interface DialogFormProps {
  onSubmit: () => void;
  onCancel: () => void;
  error: Error | null;
  isBusy: boolean;
  /** On the submit button. */
  action: string;
  isDanger?: boolean;
  /** Whether the fields are not ready to be sent. */
  isIncomplete?: boolean;
  isCancelDisabled?: boolean;
  /** On the button that closes the dialog, if “Cancel” could mean the action. */
  dismiss?: string | undefined;
  /** Leaves the check of the fields to the server. */
  noValidate?: boolean;
  /** A button before “Cancel”. */
  extraButton?: ReactNode;
  children?: ReactNode;
}

/** The form of a dialog: its fields, an error, “Cancel” and the submit button. */
export function DialogForm(props: DialogFormProps) {
  const { onSubmit, onCancel, error, isBusy, action, isDanger = false, isIncomplete = false } = props;
  return (
    <form
      noValidate={props.noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {props.children}
      <FormError error={error} />
      {isBusy && <Working />}
      <DialogActions>
        {props.extraButton}
        <Button onClick={onCancel} disabled={props.isCancelDisabled}>
          {props.dismiss ?? 'Cancel'}
        </Button>
        <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isBusy={isBusy} disabled={isIncomplete}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

/** How long a long act takes so far. Only the beginning is read aloud. */
function Working() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p role="status" className="text-sm text-soft not-empty:mt-4">
      {seconds >= SAID_AFTER_SECONDS && (
        <>
          Still working<span aria-hidden>, {seconds} s</span>
        </>
      )}
    </p>
  );
}
