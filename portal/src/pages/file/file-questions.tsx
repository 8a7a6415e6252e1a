import type { Line, Sheet } from 'bestow-readers/table.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { countOf, zoneName } from '../../ui/formats.ts';
import type { Answers, FileHabits, ReadSheet } from './sheet-answers.ts';

/** The headings are looked for in these. */
const LINES_SHOWN = 10;
const MOST_LETTERS = 60;

interface FileQuestionsProps {
  sheets: readonly Sheet[];
  read: ReadSheet;
  habits: FileHabits;
  answers: Answers;
  onChange: (answers: Answers) => void;
}

/** What the file leaves open, and what a person can correct. */
export function FileQuestions({ sheets, read, habits, answers, onChange }: FileQuestionsProps) {
  const set = (change: Partial<Answers>) => onChange({ ...answers, ...change });
  const lines = sheets[answers.sheet]?.lines ?? [];
  const open = { value: '', label: 'Choose' } as const;
  return (
    <div className="grid gap-x-5 gap-y-4 *:mt-0! sm:grid-cols-2">
      {sheets.length > 1 && (
        <SelectField
          label="Sheet"
          value={String(answers.sheet)}
          onChange={(sheet) =>
            set({
              sheet: Number(sheet),
              headings: undefined,
              hidden: undefined,
              doubtful: undefined,
              merged: undefined,
            })
          }
          options={sheets.map(({ name, lines }, index) => ({
            value: String(index),
            label: `${name} (${countOf(lines.length, 'line')})`,
          }))}
        />
      )}
      <SelectField
        label={read.asksForHeadings ? 'Is one of these lines the headings?' : 'Headings'}
        value={headingValue(read, lines, answers)}
        onChange={(index) => set({ headings: index === '' ? undefined : Number(index) })}
        options={[
          ...(read.asksForHeadings ? [open] : []),
          ...lines.slice(0, LINES_SHOWN).map((line, index) => ({ value: String(index), label: textOf(line) })),
          { value: '-1', label: 'No, the first line is a row' },
        ]}
      />
      {read.hidden.length > 0 && (
        <SelectField
          label={`${countOf(read.hidden.length, 'hidden row')}: leave out or take?`}
          value={answers.hidden ?? ''}
          onChange={(hidden) => set({ hidden: hidden || undefined })}
          hint={`A filter or a person hides ${linesOf(read.hidden)} in the sheet.`}
          options={[
            open,
            { value: 'leave out', label: read.hidden.length === 1 ? 'Leave it out' : 'Leave them out' },
            { value: 'take', label: read.hidden.length === 1 ? 'Take it' : 'Take them' },
          ]}
        />
      )}
      {read.doubtful.length > 0 && (
        <SelectField
          label={`${countOf(read.doubtful.length, 'doubtful line')}: leave out or take?`}
          value={answers.doubtful ?? ''}
          onChange={(doubtful) => set({ doubtful: doubtful || undefined })}
          hint={doubtsOf(read.doubtful)}
          options={[
            open,
            { value: 'leave out', label: read.doubtful.length === 1 ? 'Leave it out' : 'Leave them out' },
            { value: 'take', label: 'Take as the file has it' },
          ]}
        />
      )}
      {read.merged.length > 0 && (
        <SelectField
          label="Merged cells: for each of their rows?"
          value={answers.merged ?? ''}
          onChange={(merged) => set({ merged: merged || undefined })}
          hint={mergesOf(read.merged)}
          options={[
            open,
            { value: 'each row', label: 'For each row that shows them' },
            { value: 'the first row', label: 'For their first row only' },
          ]}
        />
      )}
      <Habits habits={habits} answers={answers} onChange={set} />
    </div>
  );
}

/** How this file writes amounts and days. */
function Habits({
  habits,
  answers,
  onChange,
}: Pick<FileQuestionsProps, 'habits' | 'answers'> & { onChange: (change: Partial<Answers>) => void }) {
  const open = { value: '', label: 'Choose' } as const;
  return (
    <>
      {habits.decimal === undefined && (
        <SelectField
          label="What stands before the cents?"
          value={answers.decimal ?? ''}
          onChange={(decimal) => onChange({ decimal: decimal || undefined })}
          hint="The file has amounts such as 1,250 or 1.250."
          options={[open, { value: '.', label: 'A point: 1,250.00' }, { value: ',', label: 'A comma: 1.250,00' }]}
        />
      )}
      {habits.dayOrder === undefined && (
        <SelectField
          label="Which date is 01/02/2027?"
          value={answers.dayOrder ?? ''}
          onChange={(dayOrder) => onChange({ dayOrder: dayOrder || undefined })}
          options={[
            open,
            { value: 'day first', label: '1 February 2027' },
            { value: 'month first', label: '2 January 2027' },
          ]}
        />
      )}
      {habits.hasDaysAlone && (
        <TextField
          label="Time for days without a time"
          type="time"
          value={answers.timeOfDay}
          onChange={(timeOfDay) => onChange({ timeOfDay })}
          hint={`In your time zone, ${zoneName()}.`}
        />
      )}
    </>
  );
}

function headingValue({ table, asksForHeadings }: ReadSheet, lines: readonly Line[], { headings }: Answers): string {
  if (headings !== undefined) return String(headings);
  if (asksForHeadings) return '';
  return String(lines.length - table.lines.length - 1);
}

function textOf({ number, cells }: Line): string {
  const text = cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(' · ');
  return `Line ${number}: ${text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text}`;
}

const MOST_NAMED = 3;
const linesOf = (lines: readonly Line[]) =>
  `${lines.length === 1 ? 'line' : 'lines'} ${lines
    .slice(0, MOST_NAMED)
    .map(({ number }) => number)
    .join(', ')}${lines.length > MOST_NAMED ? ' and more' : ''}`;

const doubtsOf = (lines: readonly Line[]) =>
  `${lines
    .slice(0, MOST_NAMED)
    .map(({ number, doubt }) => `Line ${number} has ${doubt}.`)
    .join(' ')}${lines.length > MOST_NAMED ? ` And ${countOf(lines.length - MOST_NAMED, 'more line')}.` : ''}`;

const mergesOf = (lines: readonly Line[]) =>
  `${lines
    .slice(0, MOST_NAMED)
    .map(
      ({ number, merged = [] }) => `Line ${number} shows ${merged.map(({ text }) => `“${text}”`).join(' and ')} too.`,
    )
    .join(' ')}${lines.length > MOST_NAMED ? ` And ${countOf(lines.length - MOST_NAMED, 'more line')}.` : ''}`;
