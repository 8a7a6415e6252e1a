import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { categoryOptions } from '../../ui/category.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoney } from '../../ui/formats.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { useAct } from '../../ui/use-act.ts';
import { type GiftTemplate, useTemplates } from './template.ts';
import { TemplateDialog } from './template-dialog.tsx';

type Change = { act: 'add' } | { act: 'edit' | 'delete'; template: GiftTemplate };

/** What senders begin a gift with. */
export function TemplatesPage() {
  const { currency, may } = useScope();
  const templates = useTemplates();
  const { choices } = useCategories();
  const [change, setChange] = useState<Change>();
  const close = () => setChange(undefined);
  const nameOf = (id: string) => categoryOptions(choices).find(({ value }) => value === id)?.label ?? id;
  const columns = columnsOf(currency, nameOf);
  const isFull = templates.data === undefined || templates.data.data.length >= templates.data.most;
  return (
    <Page
      title="Templates"
      description="Senders choose one when they send gifts. It fills the form, and what they change stays."
      actions={
        may('settings') && (
          <Button variant="primary" onClick={() => setChange({ act: 'add' })} disabled={isFull}>
            Add a template
          </Button>
        )
      }
    >
      <Panel>
        {may('order', 'request') ? (
          <DataTable
            caption="Templates"
            columns={may('settings') ? [...columns, actionColumn(setChange)] : columns}
            query={templates}
            rowKey={({ template_id }) => template_id}
            loadingLines={4}
            empty={
              <EmptyState title="No templates yet">
                {may('settings') ? 'Add one for gifts that you send again and again.' : 'An admin can add one.'}
              </EmptyState>
            }
          />
        ) : (
          <EmptyState title="Templates cannot be shown now">
            Only people who may send gifts see them, while the organization is active.
          </EmptyState>
        )}
      </Panel>
      {change?.act === 'add' && <TemplateDialog onClose={close} />}
      {change?.act === 'edit' && <TemplateDialog template={change.template} onClose={close} />}
      {change?.act === 'delete' && <RemoveTemplate template={change.template} onClose={close} />}
    </Page>
  );
}

const columnsOf = (currency: string, nameOf: (category: string) => string): Column<GiftTemplate>[] => [
  {
    header: 'Template',
    cell: ({ name, message }) => (
      <>
        <span className="block font-semibold wrap-anywhere">{name}</span>
        {message !== null && <span className="line-clamp-2 text-sm wrap-anywhere text-soft">{message}</span>}
      </>
    ),
  },
  { header: 'Category', cell: ({ category }) => nameOf(category), isWide: true },
  { header: 'Sender', cell: ({ sender_name }) => <bdi className="wrap-anywhere">{sender_name}</bdi>, isWide: true },
  { header: 'Amount', cell: ({ amount }) => formatMoney(amount, currency), align: 'right', isWide: true },
];

const actionColumn = (onChoose: (change: Change) => void): Column<GiftTemplate> => ({
  header: 'Action',
  align: 'right',
  cell: (template) => (
    <span className="flex flex-wrap justify-end gap-2">
      <Button size="small" aria-label={`Edit ${template.name}`} onClick={() => onChoose({ act: 'edit', template })}>
        Edit
      </Button>
      <Button size="small" aria-label={`Delete ${template.name}`} onClick={() => onChoose({ act: 'delete', template })}>
        Delete
      </Button>
    </span>
  ),
});

function RemoveTemplate({ template, onClose }: { template: GiftTemplate; onClose: () => void }) {
  const { path } = useScope();
  const removal = useAct({
    send: () =>
      unwrap(
        api.DELETE(`${SCOPE_PATH}/gift-templates/{template_id}`, {
          params: { path: { ...path, template_id: template.template_id } },
        }),
      ),
    done: 'Template deleted.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete “${template.name}”?`}
      description="Gifts that were made from it stay as they are."
      action="Delete template"
      dismiss="Keep template"
      act={removal}
    />
  );
}
