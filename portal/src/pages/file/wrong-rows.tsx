import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';

/** More would slow the page down; the next ones follow. */
const SHOWN = 20;

type Cells<Name extends string> = Partial<Record<Name, string>>;

/** Corrections that are not checked yet, by line. */
export type Edits<Name extends string> = ReadonlyMap<number, Cells<Name>>;

/** A row of the file that cannot be used. */
export interface WrongRow<Name extends string> {
  line: number;
  cells: Cells<Name>;
  fault: { column: Name; message: string };
}

/** The field of a row that is wrong. */
interface WrongField {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  hint: string | undefined;
}

interface WrongRowsProps<Name extends string> {
  wrong: readonly WrongRow<Name>[];
  /** The number of all rows. */
  total: number;
  labels: Readonly<Record<Name, string>>;
  edits: Edits<Name>;
  onEdit: (edits: Edits<Name>) => void;
  /** What tells a person which row it is. */
  aboutOf: (cells: Cells<Name>) => readonly (string | undefined)[];
  /** Another field than one for a text. */
  fieldOf?: (column: Name, field: WrongField) => ReactNode;
  check: { error: Error | null; isPending: boolean };
  onCheck: () => void;
  onLeaveOut: (lines: readonly number[]) => void;
  onBack: () => void;
}

/** Rows that cannot be used, each with its field to correct. */
export function WrongRows<Name extends string>(props: WrongRowsProps<Name>) {
  const { wrong, total, edits, check, onCheck, onLeaveOut, onBack } = props;
  return (
    <Panel
      title={`${formatCount(wrong.length)} of ${countOf(total, 'row')} ${wrong.length === 1 ? 'needs' : 'need'} a correction`}
      description="Correct them here, or leave them out."
    >
      <ul className="grid gap-4">
        {wrong.slice(0, SHOWN).map((row) => (
          <Row key={row.line} {...props} row={row} />
        ))}
      </ul>
      {wrong.length > SHOWN && <p className="mt-4 text-soft">And {formatCount(wrong.length - SHOWN)} more.</p>}
      <FormError error={check.error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="primary" onClick={onCheck} isBusy={check.isPending} disabled={edits.size === 0}>
          Check corrections
        </Button>
        {wrong.length < total && (
          <Button onClick={() => onLeaveOut(wrong.map(({ line }) => line))} disabled={check.isPending}>
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

function Row<Name extends string>(props: WrongRowsProps<Name> & { row: WrongRow<Name> }) {
  const { row, labels, edits, onEdit, aboutOf, fieldOf, onLeaveOut } = props;
  const { line, fault } = row;
  const { column, message } = fault;
  const isEdited = edits.has(line);
  const cells = edits.get(line) ?? row.cells;
  const edit = (text: string) => {
    const { [column]: _, ...others } = cells;
    onEdit(new Map(edits).set(line, (text.trim() === '' ? others : { ...others, [column]: text }) as Cells<Name>));
  };
  const field: WrongField = {
    label: `Line ${line}: ${labels[column]}`,
    value: cells[column] ?? '',
    onChange: edit,
    error: isEdited ? undefined : message,
    hint: isEdited ? 'Changed; not checked yet.' : undefined,
  };
  return (
    <li className="rounded-xl border border-line p-4">
      <div className="flex items-start justify-between gap-3">
        <p className="text-sm text-soft wrap-anywhere">
          {aboutOf(cells).filter(Boolean).join(' · ') || 'An empty row'}
        </p>
        <Button size="small" variant="quiet" onClick={() => onLeaveOut([line])} aria-label={`Leave out line ${line}`}>
          Leave out
        </Button>
      </div>
      <div className="mt-2">
        {fieldOf?.(column, field) || <TextField {...field} autoComplete="off" spellCheck={false} />}
      </div>
    </li>
  );
}
