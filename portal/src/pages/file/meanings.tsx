import { SelectField } from '../../ui/field.tsx';
import type { HeadingMeaning } from './heading-names.ts';
import type { Matching, Meant, OpenColumn } from './match-columns.ts';
import type { ReadSheet } from './sheet-answers.ts';

interface MeaningsProps<Name extends HeadingMeaning> {
  /** The meanings that a column may have, with their labels. */
  labels: Readonly<Record<Name, string>>;
  read: ReadSheet;
  matching: Matching<Name>;
  open: readonly OpenColumn<Name>[];
  meant: Meant;
  /** Headings of columns that have content and are not used. */
  unused: readonly string[];
  onChange: (matching: Matching<Name>, meant: Meant) => void;
}

/** Asks which column of the file has which meaning, and shows what was found by the headings. */
export function Meanings<Name extends HeadingMeaning>(props: MeaningsProps<Name>) {
  const { labels, matching, meant, unused, onChange } = props;
  const { table, kept } = props.read;
  const samples = (index: number) => kept.slice(0, 3).flatMap(({ cells }) => cells[index]?.trim() || []);
  const headings = table.headings.map((heading, index) => heading || samples(index)[0] || `Column ${index + 1}`);
  return (
    <>
      <h3 className="mt-7 mb-3 text-base font-semibold">Columns</h3>
      <div className="grid gap-x-5 gap-y-4 *:mt-0! sm:grid-cols-2 lg:grid-cols-3">
        <OpenColumns {...props} />
        {(Object.keys(labels) as Name[]).map((name) => {
          const column: number | undefined = matching[name];
          return (
            <SelectField
              key={name}
              label={labels[name]}
              value={String(column ?? '')}
              onChange={(index) => {
                const { [name]: _, ...others } = matching;
                onChange((index === '' ? others : { ...others, [name]: Number(index) }) as Matching<Name>, meant);
              }}
              options={[
                { value: '', label: 'Not in the file, or not used' },
                ...headings.map((label, index) => ({ value: String(index), label })),
              ]}
              hint={column === undefined ? undefined : samples(column).join(', ').slice(0, 80)}
            />
          );
        })}
      </div>
      {unused.length > 0 && <p className="mt-3 text-sm text-soft wrap-anywhere">Not used: {unused.join(', ')}.</p>}
    </>
  );
}

const SOMETHING_ELSE = 'not used';

/** Headings that mean two things. */
function OpenColumns<Name extends HeadingMeaning>({ labels, open, matching, meant, onChange }: MeaningsProps<Name>) {
  return open.map(({ column, heading, meanings }) => (
    <SelectField<Name | typeof SOMETHING_ELSE | ''>
      key={`open ${column}`}
      label={`What does “${heading}” mean?`}
      value=""
      onChange={(meaning) => {
        if (meaning === '') return;
        const isUsed = meaning !== SOMETHING_ELSE;
        onChange(isUsed ? { ...matching, [meaning]: column } : matching, { ...meant, [column]: meaning });
      }}
      options={[
        { value: '', label: 'Choose' },
        ...meanings.map((name) => ({ value: name, label: labels[name] })),
        { value: SOMETHING_ELSE, label: 'Something else: not used' },
      ]}
    />
  ));
}
