import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../layout/use-scope.ts';
import { LONGEST_MESSAGE } from '../pages/send-draft.ts';
import { useCategories } from '../pages/use-categories.ts';
import { Button } from '../ui/button.tsx';
import { categoryOptions } from '../ui/category.ts';
import { FormError, SelectField, TextField } from '../ui/field.tsx';
import { formatCount } from '../ui/formats.ts';
import { Panel } from '../ui/page.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { faultOfTime, isoOf, TimeField } from '../ui/time-field.tsx';
import { checkRows, newRow, type Row } from './check.ts';
import { cellsOf, columnNames, columns, type Defaults, type Matching, matchColumns } from './columns.ts';
import type { Table } from './file.ts';

interface ManyMatchProps {
  table: Table;
  onBack: () => void;
  onRows: (rows: Row[]) => void;
}

/** Says what each column means, and what rows have that the file leaves empty. */
export function ManyMatch({ table, onBack, onRows }: ManyMatchProps) {
  const { path } = useScope();
  const { choices, error } = useCategories();
  const [matching, setMatching] = useState(() => matchColumns(table.headings));
  const [defaults, setDefaults] = useState<Defaults>({});
  const [time, setTime] = useState<string>();
  const faultOfAll = time === undefined ? undefined : faultOfTime(time);
  const [checked, setChecked] = useState(0);
  const check = useMutation({
    mutationFn: () => {
      const filled = Object.entries(defaults).filter(([, text]) => text.trim() !== '');
      const given: Defaults = { ...Object.fromEntries(filled), ...(time !== undefined && { send_at: isoOf(time) }) };
      const rows = table.lines.map((line, index) => newRow(index + 2, cellsOf(line, matching, given)));
      return checkRows(path, rows, choices, setChecked);
    },
    onSuccess: onRows,
  });
  const hasAddress = matching.email !== undefined || matching.phone !== undefined || matching.method !== undefined;
  return (
    <Panel
      title="What do the columns mean?"
      description={`${table.name}: ${formatCount(table.lines.length)} rows. Columns that are not chosen are left out.`}
    >
      <Meanings table={table} matching={matching} onChange={setMatching} />
      <ForEmpty defaults={defaults} onChange={setDefaults} />
      <WhenForAll time={time} onChange={setTime} error={faultOfAll} />
      <FormError error={check.error ?? error} />
      {!hasAddress && (
        <p role="alert" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          Choose the column with the email addresses or the phone numbers.
        </p>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          onClick={() => check.mutate()}
          isBusy={check.isPending}
          disabled={!hasAddress || choices.length === 0 || faultOfAll !== undefined}
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

interface WhenForAllProps {
  /** As the field writes it; undefined: now. */
  time: string | undefined;
  onChange: (time: string | undefined) => void;
  error: string | undefined;
}

function WhenForAll({ time, onChange, error }: WhenForAllProps) {
  return (
    <div className="mt-4 grid gap-x-5 gap-y-4 *:mt-0! sm:grid-cols-2">
      <SelectField
        label="When we send them"
        value={time === undefined ? 'now' : 'later'}
        onChange={(when) => onChange(when === 'now' ? undefined : '')}
        options={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'Later' },
        ]}
      />
      {time !== undefined && <TimeField value={time} onChange={onChange} error={time === '' ? undefined : error} />}
    </div>
  );
}

interface MeaningsProps {
  table: Table;
  matching: Matching;
  onChange: (matching: Matching) => void;
}

function Meanings({ table, matching, onChange }: MeaningsProps) {
  const samples = (index: number) => table.lines.slice(0, 3).flatMap((line) => line[index]?.trim() || []);
  return (
    <div className="grid gap-x-5 gap-y-4 *:mt-0! sm:grid-cols-2 lg:grid-cols-3">
      {columnNames.map((name) => (
        <SelectField
          key={name}
          label={columns[name].label}
          value={String(matching[name] ?? '')}
          onChange={(index) => {
            const { [name]: _, ...others } = matching;
            onChange(index === '' ? others : { ...others, [name]: Number(index) });
          }}
          options={[
            { value: '', label: 'Not in the file' },
            ...table.headings.map((heading, index) => ({
              value: String(index),
              label: heading || `Column ${index + 1}`,
            })),
          ]}
          hint={matching[name] === undefined ? undefined : samples(matching[name]).join(', ').slice(0, 80)}
        />
      ))}
    </div>
  );
}

interface ForEmptyProps {
  defaults: Defaults;
  onChange: (defaults: Defaults) => void;
}

function ForEmpty({ defaults, onChange }: ForEmptyProps) {
  const { currency } = useScope();
  const { choices } = useCategories();
  const set = (change: Defaults) => onChange({ ...defaults, ...change });
  return (
    <>
      <h3 className="mt-7 text-base font-semibold">For rows that leave these empty</h3>
      <div className="mt-3 grid gap-x-5 gap-y-4 *:mt-0! sm:grid-cols-2">
        <TextField
          label={`Amount for all (${currency})`}
          inputMode="decimal"
          autoComplete="off"
          value={defaults.amount ?? ''}
          onChange={(amount) => set({ amount })}
        />
        <SelectField
          label="Category for all"
          value={defaults.category ?? ''}
          onChange={(category) => set({ category })}
          options={[{ value: '', label: 'None' }, ...categoryOptions(choices)]}
        />
      </div>
      <TextArea
        label="Message for all (optional)"
        hint="Plain text; line breaks are kept."
        error={undefined}
        most={LONGEST_MESSAGE}
        value={defaults.message ?? ''}
        onChange={(message) => set({ message })}
      />
    </>
  );
}
