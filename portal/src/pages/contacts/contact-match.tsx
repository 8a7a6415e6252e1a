import { useMutation } from '@tanstack/react-query';
import type { Sheet } from 'bestow-readers/table.ts';
import { useMemo, useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { FileQuestions } from '../file/file-questions.tsx';
import { Meanings } from '../file/meanings.tsx';
import { RecalledNote } from '../file/recalled-note.tsx';
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
export function ContactMatch({ name, sheets, setup, onChange, onForget, onBack, onChecked }: ContactMatchProps) {
  const { answers } = setup;
  const sheet = sheets[answers.sheet] ?? sheets[0];
  const prepared = useMemo(() => prepareContacts(sheets, setup), [sheets, setup]);
  const { read, habits, question } = prepared;
  const { check, checked } = useCheck(prepared, setup);
  return (
    <Panel
      title="What do the columns mean?"
      description={`${name}${sheet.name === '' ? '' : `, sheet “${sheet.name}”`}: ${countOf(read.kept.length, 'row')}.`}
    >
      {setup.isRecalled && <RecalledNote onForget={onForget} />}
      <FileQuestions
        sheets={sheets}
        read={read}
        habits={habits}
        answers={answers}
        onChange={(next) => {
          const isSameTable = next.sheet === answers.sheet && next.headings === answers.headings;
          const changed = isSameTable ? { answers: next } : { answers: { ...next, meant: {} }, matching: undefined };
          onChange({ ...setup, ...changed });
        }}
      />
      <Meanings
        labels={labels}
        {...prepared}
        meant={answers.meant}
        onChange={(matching, meant) => onChange({ ...setup, matching, answers: { ...answers, meant } })}
      />
      <FormError error={check.error} />
      {question !== undefined && (
        <p role="status" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          {question}
        </p>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          onClick={() => check.mutate(undefined, { onSuccess: onChecked })}
          isBusy={check.isPending}
          disabled={question !== undefined}
        >
          {check.isPending ? `Checking… ${formatCount(checked)}` : 'Check rows'}
        </Button>
        <Button onClick={onBack} disabled={check.isPending}>
          Other file
        </Button>
      </div>
    </Panel>
  );
}

function useCheck({ read, rows, habits, unused }: PreparedContacts, { answers }: ContactSetup) {
  const { path } = useScope();
  const [checked, setChecked] = useState(0);
  const check = useMutation({
    mutationFn: async (): Promise<CheckedContacts> => {
      const dayOrder = habits.dayOrder ?? answers.dayOrder ?? 'day first';
      const found = await checkRows(path, rows, { dayOrder, onProgress: setChecked });
      return withoutLeft({ rows: found, dayOrder, leftOut: read.leftOut, unused });
    },
    meta: { isRead: true },
  });
  return { check, checked };
}
