import type { Sheet } from 'bestow-readers/table.ts';
import { useMemo, useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { useAct } from '../../ui/use-act.ts';
import { ColumnsStep } from '../file/columns-step.tsx';
import { type CheckedContacts, checkRows, withoutLeft } from './check-contacts.ts';
import { labels } from './contact-headings.ts';
import { type ContactSetup, type PreparedContacts, prepareContacts } from './prepare-contacts.ts';

interface ContactMatchProps {
  name: string;
  sheets: readonly [Sheet, ...Sheet[]];
  setup: ContactSetup;
  onChange: (setup: ContactSetup) => void;
  /** Forgets the choices of an earlier file. */
  onForget: () => void;
  onBack: () => void;
  onChecked: (checked: CheckedContacts) => void;
}

/** Says what each column of a file of contacts means. */
export function ContactMatch({ onChecked, ...props }: ContactMatchProps) {
  const { sheets, setup } = props;
  const prepared = useMemo(() => prepareContacts(sheets, setup), [sheets, setup]);
  const { check, checked } = useCheck(prepared, setup);
  return (
    <ColumnsStep
      {...props}
      labels={labels}
      prepared={prepared}
      check={check}
      checked={checked}
      onCheck={() => check.mutate(undefined, { onSuccess: onChecked })}
    />
  );
}

function useCheck({ read, rows, others, habits, unused }: PreparedContacts, { answers }: ContactSetup) {
  const { path } = useScope();
  const [checked, setChecked] = useState(0);
  const check = useAct({
    isRead: true,
    send: async (): Promise<CheckedContacts> => {
      const dayOrder = habits.dayOrder ?? answers.dayOrder ?? 'day first';
      const found = await checkRows(path, rows, { dayOrder, onProgress: setChecked });
      return withoutLeft({ rows: found, others, dayOrder, leftOut: read.leftOut, unused });
    },
  });
  return { check, checked };
}
