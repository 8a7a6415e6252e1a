import { useMutation } from '@tanstack/react-query';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { categoryOptions } from '../../ui/category.ts';
import { FormError, SelectField, TextField } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { type CheckedFile, checkRows, type Row, withoutRows } from './check.ts';
import type { CellName, Cells } from './columns.ts';
import { columns } from './headings.ts';

/** More would slow the page down; the next ones follow. */
const SHOWN = 20;

type Edits = ReadonlyMap<number, Cells>;

interface ManyRowsProps {
  file: CheckedFile;
  /** Corrections that are not checked yet, by line. */
  edits: Edits;
  onEdit: (edits: Edits) => void;
  onBack: () => void;
  onChange: (file: CheckedFile, edits: Edits) => void;
}

/** Rows that cannot be sent, each with its field to correct. */
export function ManyRows({ file, edits, onEdit, onBack, onChange }: ManyRowsProps) {
  const { path } = useScope();
  const { rows, reader } = file;
  const wrong = rows.filter(({ fault }) => fault !== undefined);
  const check = useMutation({
    mutationFn: async (): Promise<Row[]> => {
      const changed = rows.filter(({ line }) => edits.has(line));
      const edited = changed.map((row) => ({ ...row, cells: edits.get(row.line) ?? row.cells }));
      const checked = await checkRows(path, edited, reader, () => undefined);
      const byRow = new Map(changed.map((row, index) => [row, checked[index] ?? row]));
      return rows.map((row) => byRow.get(row) ?? row);
    },
    meta: { isRead: true },
  });
  const edit = (row: Row, name: CellName, text: string) => {
    const { [name]: _, ...others } = edits.get(row.line) ?? row.cells;
    onEdit(new Map(edits).set(row.line, text.trim() === '' ? others : { ...others, [name]: text }));
  };
  const takeChecked = (checked: Row[]) => onChange({ ...file, rows: checked }, new Map());
  const leaveOut = (isOut: (row: Row) => boolean) => onChange(withoutRows(file, isOut, 'left out by you'), edits);
  return (
    <Panel
      title={`${formatCount(wrong.length)} of ${countOf(rows.length, 'row')} ${wrong.length === 1 ? 'needs' : 'need'} a correction`}
      description="Correct them here, or leave them out."
    >
      <ul className="grid gap-4">
        {wrong.slice(0, SHOWN).map((row) => (
          <WrongRow
            key={row.line}
            row={row}
            cells={edits.get(row.line) ?? row.cells}
            isEdited={edits.has(row.line)}
            onEdit={(name, text) => edit(row, name, text)}
            onRemove={() => leaveOut((other) => other === row)}
          />
        ))}
      </ul>
      {wrong.length > SHOWN && <p className="mt-4 text-soft">And {formatCount(wrong.length - SHOWN)} more.</p>}
      <FormError error={check.error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          variant="primary"
          onClick={() => check.mutate(undefined, { onSuccess: takeChecked })}
          isBusy={check.isPending}
          disabled={edits.size === 0}
        >
          Check corrections
        </Button>
        {wrong.length < rows.length && (
          <Button onClick={() => leaveOut(({ fault }) => fault !== undefined)} disabled={check.isPending}>
            {wrong.length === 1 ? 'Leave out this row' : `Leave out these ${formatCount(wrong.length)} rows`}
          </Button>
        )}
        <Button onClick={onBack} disabled={check.isPending}>
          Change columns
        </Button>
      </div>
    </Panel>
  );
}

interface WrongRowProps {
  row: Row;
  cells: Cells;
  isEdited: boolean;
  onEdit: (name: CellName, text: string) => void;
  onRemove: () => void;
}

function WrongRow({ row: { line, fault }, cells, isEdited, onEdit, onRemove }: WrongRowProps) {
  const { choices } = useCategories();
  if (fault === undefined) return null;
  const { column, message } = fault;
  const about = [cells.recipient_name, cells.email ?? cells.phone, cells.amount, cells.category];
  const field = {
    label: `Line ${line}: ${columns[column].label}`,
    value: cells[column] ?? '',
    onChange: (text: string) => onEdit(column, text),
    error: isEdited ? undefined : message,
    hint: isEdited ? 'Changed; not checked yet.' : undefined,
  };
  return (
    <li className="rounded-xl border border-line p-4">
      <div className="flex items-start justify-between gap-3">
        <p className="text-sm text-soft wrap-anywhere">{about.filter(Boolean).join(' · ') || 'An empty row'}</p>
        <Button size="small" variant="quiet" onClick={onRemove} aria-label={`Leave out line ${line}`}>
          Leave out
        </Button>
      </div>
      <div className="mt-2">
        {column === 'category' ? (
          <SelectField
            {...field}
            value={choices.some(({ category_id }) => category_id === field.value) ? field.value : ''}
            options={[{ value: '', label: 'Choose a category' }, ...categoryOptions(choices)]}
          />
        ) : (
          <TextField {...field} autoComplete="off" spellCheck={false} />
        )}
      </div>
    </li>
  );
}
