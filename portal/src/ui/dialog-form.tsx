import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { FormError } from './field.tsx';

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
