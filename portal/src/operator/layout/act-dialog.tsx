import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useAct } from '../../ui/use-act.ts';
import { CommandBox } from './command-line.tsx';
import { shellWord } from './shell-word.ts';

const LEAST = 3;
const MOST = 500;

const readers = {
  organization: 'The organization reads this reason in its audit log.',
  operators: 'Operators read this reason in the log.',
} as const;

interface ActDialogProps<Answer> {
  onClose: () => void;
  title: string;
  /** What happens, also to members and recipients. */
  description?: ReactNode;
  /** Names the act on the button: “Suspend organization”. */
  action: string;
  isDanger?: boolean;
  /** Who reads the reason. */
  readBy: keyof typeof readers;
  /** The command that does the same, which may take the reason; undefined if none does. */
  command: string | ((reason: string) => string) | undefined;
  send: (reason: string) => Promise<Answer>;
  /** Said afterwards. */
  done: string | ((answer: Answer) => string);
  /** The key of what the answer is the new state of. */
  shows?: QueryKey;
  onDone?: (answer: Answer) => void;
  isIncomplete?: boolean;
  /** The fields of the act. */
  children?: ReactNode;
}

/** The form of every act: its fields, the reason, and the command that does the same. A refusal keeps what was typed. */
export function ActDialog<Answer>(props: ActDialogProps<Answer>) {
  const { onClose, title, description, action, isDanger = false, readBy, command, isIncomplete = false } = props;
  const [reason, setReason] = useState('');
  const length = [...reason.trim()].length;
  const acting = useAct({
    send: props.send,
    shows: props.shows,
    done: props.done,
    // The refreshed page may not have the button of this dialog any more.
    waits: false,
    onDone: (answer: Answer) => {
      props.onDone?.(answer);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description}>
      <DialogForm
        onSubmit={() => acting.mutate(reason.trim())}
        onCancel={onClose}
        error={acting.error}
        isBusy={acting.isPending}
        action={action}
        isDanger={isDanger}
        isIncomplete={isIncomplete || length < LEAST || length > MOST}
        // “Cancel” could mean the act.
        dismiss="Close"
      >
        {props.children}
        <TextArea
          label="Reason"
          hint={readers[readBy]}
          error={undefined}
          value={reason}
          onChange={setReason}
          most={MOST}
          rows={3}
        />
        {command !== undefined && (
          <CommandBox command={typeof command === 'string' ? command : command(shellWord(reason.trim() || '…'))} />
        )}
      </DialogForm>
    </Dialog>
  );
}

interface ActButtonProps {
  label: string;
  /** If several buttons have the same label: what this one acts on. */
  about?: string;
  variant?: 'primary' | 'secondary' | 'danger';
  size?: 'normal' | 'small';
  /** The dialog of the act. */
  children: (onClose: () => void) => ReactNode;
}

/** Opens the dialog of an act. */
export function ActButton({ label, about, variant = 'secondary', size = 'small', children }: ActButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant={variant} size={size} onClick={() => setIsOpen(true)}>
        {label}
        {about !== undefined && <span className="sr-only"> {about}</span>}
      </Button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}
