import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { categoryOptions } from '../../ui/category.ts';
import { SelectField } from '../../ui/field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { type Edits, WrongRows } from '../file/wrong-rows.tsx';
import { type CheckedFile, checkRows, type Row, withoutRows } from './check.ts';
import type { CellName } from './columns.ts';
import { labels } from './headings.ts';

interface ManyRowsProps {
  file: CheckedFile;
  edits: Edits<CellName>;
  onEdit: (edits: Edits<CellName>) => void;
  onBack: () => void;
  onChange: (file: CheckedFile, edits: Edits<CellName>) => void;
}

/** Rows that cannot be sent, each with its field to correct. */
export function ManyRows({ file, edits, onEdit, onBack, onChange }: ManyRowsProps) {
  const { path } = useScope();
  const { choices } = useCategories();
  const { rows, reader } = file;
  const check = useAct({
    isRead: true,
    send: async (): Promise<Row[]> => {
      const changed = rows.filter(({ line }) => edits.has(line));
      const edited = changed.map((row) => ({ ...row, cells: edits.get(row.line) ?? row.cells }));
      const checked = await checkRows(path, edited, reader, () => undefined);
      const byRow = new Map(changed.map((row, index) => [row, checked[index] ?? row]));
      return rows.map((row) => byRow.get(row) ?? row);
    },
  });
  return (
    <WrongRows
      wrong={rows.flatMap(({ line, cells, fault }) => (fault === undefined ? [] : { line, cells, fault }))}
      total={rows.length}
      labels={labels}
      edits={edits}
      onEdit={onEdit}
      aboutOf={(cells) => [cells.recipient_name, cells.email ?? cells.phone, cells.amount, cells.category]}
      fieldOf={(column, field) =>
        column === 'category' && (
          <SelectField
            {...field}
            value={choices.some(({ category_id }) => category_id === field.value) ? field.value : ''}
            options={[{ value: '', label: 'Choose a category' }, ...categoryOptions(choices)]}
          />
        )
      }
      check={check}
      onCheck={() =>
        check.mutate(undefined, { onSuccess: (checked) => onChange({ ...file, rows: checked }, new Map()) })
      }
      onLeaveOut={(lines) =>
        onChange(
          withoutRows(file, ({ line }) => lines.includes(line), 'left out by you'),
          edits,
        )
      }
      onBack={onBack}
    />
  );
}
