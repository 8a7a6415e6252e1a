import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useAct } from '../../ui/use-act.ts';
import type { GiftTemplate } from './template.ts';
import { TemplateFields, type TemplateToSave, templateBodyOf, templateDraftOf } from './template-fields.tsx';

/** @param template undefined for a new one */
export function TemplateDialog({ template, onClose }: { template?: GiftTemplate; onClose: () => void }) {
  const { path, currency } = useScope();
  const [draft, setDraft] = useState(() => templateDraftOf(template));
  const body = templateBodyOf(draft, currency);
  const saving = useAct({
    send: async (body: TemplateToSave) => {
      if (template === undefined) return unwrap(api.POST(`${SCOPE_PATH}/gift-templates`, { params: { path }, body }));
      const query = { seen_at: template.changed_at };
      const params = { path: { ...path, template_id: template.template_id }, query };
      return unwrap(api.PUT(`${SCOPE_PATH}/gift-templates/{template_id}`, { params, body }));
    },
    done: 'Template saved.',
    onDone: onClose,
  });
  const faultOf = (param: string) =>
    saving.error instanceof ApiError && saving.error.param === param ? saving.error.message : undefined;
  const [nameFault, messageFault] = [faultOf('name'), faultOf('message')];
  return (
    <Dialog
      isOpen
      isHeld={saving.isPending}
      onClose={onClose}
      title={template === undefined ? 'Add a template' : 'Edit the template'}
    >
      <DialogForm
        noValidate
        onSubmit={() => body !== undefined && saving.mutate(body)}
        onCancel={onClose}
        error={nameFault === undefined && messageFault === undefined ? saving.error : null}
        isBusy={saving.isPending}
        action="Save template"
        isIncomplete={body === undefined}
        isCancelDisabled={saving.isPending}
      >
        <TemplateFields
          draft={draft}
          nameFault={nameFault}
          messageFault={messageFault}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      </DialogForm>
    </Dialog>
  );
}
