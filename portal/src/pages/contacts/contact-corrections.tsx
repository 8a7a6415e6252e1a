import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { useAct } from '../../ui/use-act.ts';
import { type Edits, WrongRows } from '../file/wrong-rows.tsx';
import { type CheckedContacts, checkRows, withoutLeft, withoutLines } from './check-contacts.ts';
import { type ContactColumn, labels } from './contact-headings.ts';

interface ContactCorrectionsProps {
  file: CheckedContacts;
  onBack: () => void;
  onChange: (file: CheckedContacts) => void;
}

/** Rows that cannot be imported, each with its field to correct. */
export function ContactCorrections({ file, onBack, onChange }: ContactCorrectionsProps) {
  const { path } = useScope();
  const [edits, setEdits] = useState<Edits<ContactColumn>>(new Map());
  const { rows, dayOrder } = file;
  const check = useAct({
    isRead: true,
    send: () => {
      const edited = rows.map((row) => ({ line: row.line, cells: edits.get(row.line) ?? row.cells }));
      const same = rows.filter(({ line, outcome }) => outcome !== undefined && !edits.has(line));
      return checkRows(path, edited, { dayOrder, earlier: new Map(same.map((row) => [row.line, row])) });
    },
    onDone: (checked) => {
      setEdits(new Map());
      onChange(withoutLeft({ ...file, rows: checked }));
    },
  });
  return (
    <WrongRows
      wrong={rows.flatMap(({ line, cells, fault }) => (fault === undefined ? [] : { line, cells, fault }))}
      total={rows.length}
      labels={labels}
      edits={edits}
      onEdit={setEdits}
      aboutOf={({ name, first_name, last_name, email, phone }) => [
        name ?? [first_name, last_name].filter(Boolean).join(' '),
        email ?? phone,
      ]}
      check={check}
      onCheck={() => check.mutate()}
      onLeaveOut={(lines) => onChange(withoutLines(file, lines))}
      onBack={onBack}
    />
  );
}
