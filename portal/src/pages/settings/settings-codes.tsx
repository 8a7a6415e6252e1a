import { useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { ANY_CATEGORY, categoryOptions } from '../../ui/category.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField } from '../../ui/field.tsx';
import { countOf, formatCount } from '../../ui/formats.ts';
import { TableFileField } from '../../ui/table-file-field.tsx';
import { useAct } from '../../ui/use-act.ts';

interface AddCodesProps {
  issuer: components['schemas']['IssuerList']['data'][number];
  onClose: () => void;
}

/** Adds codes that were bought elsewhere. */
export function AddCodesDialog({ issuer, onClose }: AddCodesProps) {
  const { organizationId } = useScope();
  const [csv, setCsv] = useState<string>();
  const [chosen, setChosen] = useState(issuer.category ?? '');
  const { choices } = useCategories();
  const adding = useAct({
    send: (text: string) =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/issuers/{issuer_id}/codes`, {
          params: { path: { organization_id: organizationId, issuer_id: issuer.issuer_id } },
          body: { category: chosen, csv: text },
        }),
      ),
    done: ({ added, known }) =>
      `${countOf(added, 'code')} added.${known === 0 ? '' : ` ${formatCount(known)} known before.`}`,
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      isHeld={adding.isPending}
      onClose={onClose}
      title={issuer.category === null ? 'Add codes' : `Add codes for ${issuer.category}`}
      description="Each code goes to one gift of its value. Codes are encrypted, and no one can read them here again."
    >
      <DialogForm
        onSubmit={() => csv !== undefined && adding.mutate(csv)}
        onCancel={onClose}
        error={null}
        isBusy={adding.isPending}
        action="Add codes"
        isIncomplete={csv === undefined || chosen === ''}
        isCancelDisabled={adding.isPending}
      >
        {issuer.category === null && (
          <SelectField
            label="Category"
            value={chosen}
            onChange={setChosen}
            options={[
              { value: '', label: 'Choose a category' },
              ...categoryOptions(choices.filter(({ category_id }) => category_id !== ANY_CATEGORY)),
            ]}
          />
        )}
        <TableFileField
          columns={['value', 'code', 'pin', 'expires', 'shop', 'terms_url']}
          hint="A CSV or Excel file with the columns value (such as 25.00), code and shop, and if you like pin, expires and terms_url. At most 10,000 lines; a wrong line refuses the whole file."
          onChange={(value) => {
            adding.reset();
            setCsv(value);
          }}
          error={adding.error}
        />
      </DialogForm>
    </Dialog>
  );
}
