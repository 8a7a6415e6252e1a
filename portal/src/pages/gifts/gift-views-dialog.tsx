import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { TextField } from '../../ui/field.tsx';
import { useViewAct, type View, type ViewSearch } from './gift-views-query.ts';

const MOST_LETTERS = 60;

interface ViewsDialogProps {
  views: readonly View[];
  /** Filters, order and columns of the page. */
  shown: ViewSearch;
  onClose: () => void;
}

/** Saves what the page shows under a name, and renames and removes earlier views. */
export function ViewsDialog({ views, shown, onClose }: ViewsDialogProps) {
  const [name, setName] = useState('');
  const [renamed, setRenamed] = useState<string>();
  const act = useViewAct();
  const isRename = renamed !== undefined;
  const submit = () =>
    act.mutate(isRename ? { act: 'rename', name: renamed, newName: name } : { act: 'save', name, search: shown }, {
      onSuccess: isRename ? () => edit(undefined) : onClose,
    });
  const edit = (view: string | undefined) => {
    setRenamed(view);
    setName(view ?? '');
    act.reset();
  };
  const remove = (view: string) => {
    edit(undefined);
    act.mutate({ act: 'remove', name: view });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Saved views"
      description="A view is the filters, order and columns of the list. Only you see yours; its link works for every member."
    >
      <DialogForm
        onSubmit={submit}
        onCancel={isRename ? () => edit(undefined) : onClose}
        dismiss={isRename ? undefined : 'Close'}
        error={act.error}
        isBusy={act.isPending}
        action={isRename ? 'Rename' : 'Save view'}
        isIncomplete={name.trim() === ''}
      >
        <TextField
          label={isRename ? `New name of “${renamed}”` : 'Name of the present view'}
          value={name}
          onChange={setName}
          maxLength={MOST_LETTERS}
          autoComplete="off"
        />
      </DialogForm>
      {views.length > 0 && (
        <ul aria-label="Saved views" className="mt-5 border-t border-line">
          {views.map((view) => (
            <Row
              key={view.name}
              view={view}
              isBusy={act.isPending}
              onRename={() => edit(view.name)}
              onRemove={() => remove(view.name)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface RowProps {
  view: View;
  isBusy: boolean;
  onRename: () => void;
  onRemove: () => void;
}

function Row({ view: { name, search }, isBusy, onRename, onRemove }: RowProps) {
  const { params } = useScope();
  const router = useRouter();
  const { href } = router.buildLocation({ to: '/$organizationId/$environment/gifts', params, search });
  return (
    <li className="flex flex-wrap items-center gap-2 border-b border-line py-2 last:border-0">
      <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
      <CopyButton text={window.location.origin + href} label={`Copy link of “${name}”`} isIconOnly />
      <Button size="small" variant="quiet" disabled={isBusy} onClick={onRename} aria-label={`Rename “${name}”`}>
        Rename
      </Button>
      <Button size="small" variant="quiet" disabled={isBusy} onClick={onRemove} aria-label={`Remove “${name}”`}>
        Remove
      </Button>
    </li>
  );
}
