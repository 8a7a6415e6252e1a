import { marks } from 'bestow-readers/marks.ts';
import type { Sheet } from 'bestow-readers/table.ts';
import { useMemo, useState } from 'react';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { categoryOptions } from '../../ui/category.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type Language, languageChoices } from '../../ui/languages.ts';
import { faultOfTime, isoOf, TimeField } from '../../ui/time-field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { ColumnsStep } from '../file/columns-step.tsx';
import type { Answers } from '../file/sheet-answers.ts';
import { MessageField } from '../gift-form/message-field.tsx';
import { MARKS_OF_ONE } from '../gift-form/send-draft.ts';
import { useWithoutIssuer, WithoutIssuer } from '../gift-form/without-issuer.tsx';
import { fillTexts } from '../templates/template.ts';
import { TemplateChoice } from '../templates/template-choice.tsx';
import { type CheckedFile, checkRows, newRow } from './check.ts';
import { type Defaults, findCategory } from './columns.ts';
import { labels } from './headings.ts';
import { type MatchSetup, type PreparedRows, prepareRows, readerOf } from './prepare-rows.ts';

interface ManyMatchProps {
  name: string;
  /** Whether the rows are contacts, not those of a file. */
  isOfContacts: boolean;
  sheets: readonly [Sheet, ...Sheet[]];
  setup: MatchSetup;
  onChange: (setup: MatchSetup) => void;
  /** Forgets the choices of an earlier file. */
  onForget: () => void;
  onBack: () => void;
  onChecked: (checked: CheckedFile) => void;
}

/** Says what each column means, and what rows have that the file leaves empty. */
export function ManyMatch({ isOfContacts, onChecked, ...props }: ManyMatchProps) {
  const { sheets, setup, onChange } = props;
  const { choices, error } = useCategories();
  const { time } = setup;
  const set = (change: Partial<MatchSetup>) => onChange({ ...setup, ...change });
  const prepared = useMemo(() => prepareRows(sheets, { ...setup, defaults: givenBy(setup) }), [sheets, setup]);
  const { check, checked } = useCheck(prepared, setup.answers);
  const issuers = useWithoutIssuer(useMemo(() => categoriesOf(prepared, choices), [prepared, choices]));
  const faultOfAll = time === undefined ? undefined : faultOfTime(time);
  return (
    <ColumnsStep
      {...props}
      labels={isOfContacts ? undefined : labels}
      prepared={prepared}
      onChange={set}
      check={{ ...check, error: check.error ?? error }}
      checked={checked}
      onCheck={() => check.mutate(undefined, { onSuccess: onChecked })}
      mayCheck={choices.length > 0 && faultOfAll === undefined}
    >
      <ForEmpty setup={setup} isOfContacts={isOfContacts} onChange={set} />
      <WithoutIssuer issuers={issuers} />
      <WhenForAll time={time} onChange={(next) => set({ time: next })} error={faultOfAll} />
    </ColumnsStep>
  );
}

/** The categories that the rows name. */
function categoriesOf({ rows }: PreparedRows, choices: Parameters<typeof findCategory>[1]): string[] {
  const texts = new Set(rows.flatMap(({ cells }) => cells.category ?? []));
  return [...texts].flatMap((text) => findCategory(text, choices)?.category_id ?? []);
}

/** What rows have that the file leaves empty. */
function givenBy({ defaults, time }: MatchSetup): Defaults {
  const filled = Object.entries(defaults).filter(([, text]) => text.trim() !== '');
  const isTime = time !== undefined && faultOfTime(time) === undefined;
  return { ...Object.fromEntries(filled), ...(isTime && { send_at: isoOf(time) }) };
}

function useCheck(prepared: PreparedRows, answers: Answers) {
  const { path, marks } = useScope();
  const { choices } = useCategories();
  const [checked, setChecked] = useState(0);
  const check = useAct({
    isRead: true,
    send: async (): Promise<CheckedFile> => {
      const { read, rows, unused } = prepared;
      const reader = readerOf(prepared, answers, marks, choices);
      const given = rows.map(({ line, cells }) => newRow(line, cells));
      return {
        rows: await checkRows(path, given, reader, setChecked),
        reader,
        lines: read.table.above.length + read.table.lines.length,
        leftOut: read.leftOut,
        unused,
      };
    },
  });
  return { check, checked };
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

interface ForEmptyProps {
  setup: MatchSetup;
  isOfContacts: boolean;
  onChange: (change: Partial<MatchSetup>) => void;
}

/** What a template fills in. */
const textsOf = ({ amount = '', category = '', sender_name = '', message = '', language = '' }: Defaults) => ({
  amount,
  category,
  senderName: sender_name,
  message,
  language: language as Language | '',
});

function ForEmpty({ setup: { defaults, template }, isOfContacts, onChange }: ForEmptyProps) {
  const { currency } = useScope();
  const { choices } = useCategories();
  const set = (change: Defaults) => onChange({ defaults: { ...defaults, ...change } });
  return (
    <>
      {!isOfContacts && <h3 className="mt-7 text-base font-semibold">For rows that leave these empty</h3>}
      <div className="mt-3 grid gap-x-5 gap-y-4 *:mt-0! sm:grid-cols-2">
        <TemplateChoice
          value={template}
          onChoose={({ id, template: chosen, earlier }) => {
            const { senderName, ...texts } = fillTexts(textsOf(defaults), textsOf({}), { chosen, earlier });
            onChange({ template: id, defaults: { ...defaults, ...texts, sender_name: senderName } });
          }}
        />
        <TextField
          label="Sender for all"
          autoComplete="off"
          value={defaults.sender_name ?? ''}
          onChange={(sender_name) => set({ sender_name })}
        />
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
        <SelectField
          label="Language for all"
          value={(defaults.language ?? '') as Language | ''}
          onChange={(language) => set({ language })}
          options={languageChoices('Automatic')}
        />
      </div>
      <MessageField
        label="Message for all (optional)"
        value={defaults.message ?? ''}
        onChange={(message) => set({ message })}
        offered={isOfContacts ? MARKS_OF_ONE : marks}
      />
    </>
  );
}
