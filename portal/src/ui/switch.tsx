import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Panel } from './page.tsx';
import { useAct } from './use-act.ts';

interface SettingsSwitchProps {
  title: string;
  description: string;
  /** On the button that asks; undefined if this person may not change the setting. */
  label: string | undefined;
  question: { title: string; description: string; action: string; isDanger: boolean };
  change: () => Promise<unknown>;
  /** Said after the change. */
  done: string;
  children?: ReactNode;
}

/** A setting of the organization that is on or off, with the question before it changes. */
export function SettingsSwitch({ title, description, label, question, change, done, children }: SettingsSwitchProps) {
  const [isAsked, setIsAsked] = useState(false);
  const changing = useAct({ send: change, done, onDone: () => setIsAsked(false) });
  const ask = () => {
    changing.reset();
    setIsAsked(true);
  };
  return (
    <Panel
      title={title}
      description={description}
      actions={
        label !== undefined && (
          <Button size="small" variant={question.isDanger ? 'danger' : 'secondary'} onClick={ask}>
            {label}
          </Button>
        )
      }
    >
      {children}
      {isAsked && <ConfirmDialog isOpen onClose={() => setIsAsked(false)} {...question} act={changing} />}
    </Panel>
  );
}
