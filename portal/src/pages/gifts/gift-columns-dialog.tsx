import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { type ColumnName, columnNames, usualColumns } from './gift-column-names.ts';

interface ColumnsDialogProps {
  names: readonly ColumnName[];
  onChange: (names: readonly ColumnName[]) => void;
  onClose: () => void;
}

/** Changes the table at once, behind the dialog. */
export function ColumnsDialog({ names, onChange, onClose }: ColumnsDialogProps) {
  const every = Object.keys(columnNames) as ColumnName[];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Columns"
      description="Kept for you on this device. A saved view has its own columns."
    >
      <ul className="grid grid-cols-2 gap-3">
        {every.map((name) => (
          <li key={name}>
            <label className="flex items-center gap-3">
              <input
                type="checkbox"
                className="size-4 accent-(--accent)"
                checked={names.includes(name)}
                // One column stays: a URL without names has the usual ones.
                disabled={names.length === 1 && names.includes(name)}
                onChange={({ target }) =>
                  onChange(every.filter((one) => (one === name ? target.checked : names.includes(one))))
                }
              />
              {columnNames[name]}
            </label>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={() => onChange(usualColumns)}>Usual columns</Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
