import type { Sheet } from 'bestow-readers/table.ts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { FileQuestions } from './file-questions.tsx';
import type { HeadingMeaning } from './heading-names.ts';
import { Meanings } from './meanings.tsx';
import type { ColumnSetup, PreparedTable } from './prepare-table.ts';
import { RecalledNote } from './recalled-note.tsx';
import type { FileHabits } from './sheet-answers.ts';

interface ColumnsStepProps<Name extends HeadingMeaning> {
  name: string;
  /** Undefined: the rows are contacts, whose columns are known. */
  labels: Readonly<Record<Name, string>> | undefined;
  sheets: readonly [Sheet, ...Sheet[]];
  setup: ColumnSetup<Name>;
  prepared: PreparedTable<Name> & { habits: FileHabits };
  onChange: (setup: ColumnSetup<Name>) => void;
  /** Forgets the choices of an earlier file. */
  onForget: () => void;
  onBack: () => void;
  /** More to say about the rows. */
  children?: ReactNode;
  check: { error: Error | null; isPending: boolean };
  checked: number;
  onCheck: () => void;
  mayCheck?: boolean;
}

/** Says what each column of a file means, and has its rows checked. */
export function ColumnsStep<Name extends HeadingMeaning>(props: ColumnsStepProps<Name>) {
  const { name, labels, sheets, setup, prepared, onChange, children, check, checked, mayCheck = true } = props;
  const { answers } = setup;
  const { read, habits, question } = prepared;
  const sheet = sheets[answers.sheet] ?? sheets[0];
  const rows = countOf(read.kept.length, 'row');
  return (
    <Panel
      title={labels === undefined ? 'What do they get?' : 'What do the columns mean?'}
      description={`${name}${sheet.name === '' ? '' : `, sheet “${sheet.name}”`}: ${rows}.`}
    >
      {setup.isRecalled && <RecalledNote onForget={props.onForget} />}
      {labels !== undefined && (
        <>
          <FileQuestions
            sheets={sheets}
            read={read}
            habits={habits}
            answers={answers}
            onChange={(next) => {
              const isSameTable = next.sheet === answers.sheet && next.headings === answers.headings;
              const changed = isSameTable
                ? { answers: next }
                : { answers: { ...next, meant: {} }, matching: undefined };
              onChange({ ...setup, ...changed });
            }}
          />
          <Meanings
            labels={labels}
            {...prepared}
            meant={answers.meant}
            onChange={(matching, meant) => onChange({ ...setup, matching, answers: { ...answers, meant } })}
          />
        </>
      )}
      {children}
      <FormError error={check.error} />
      {question !== undefined && (
        <p role="status" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          {question}
        </p>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          onClick={props.onCheck}
          isBusy={check.isPending}
          disabled={question !== undefined || !mayCheck}
        >
          {check.isPending ? `Checking… ${formatCount(checked)}` : 'Check rows'}
        </Button>
        <Button onClick={props.onBack} disabled={check.isPending}>
          {labels === undefined ? 'Other contacts' : 'Other file'}
        </Button>
      </div>
    </Panel>
  );
}
