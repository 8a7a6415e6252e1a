import { useId } from 'react';
import { useCategories } from '../../api/use-categories.ts';
import { categoryOptions } from '../../ui/category.ts';
import { FormError, inputClass } from '../../ui/field.tsx';
import type { Draft, Faults } from './agent-draft.ts';
import { Choice, FieldGroup, Warning } from './agent-fields.tsx';
import type { Permission } from './agent-terms.ts';

interface PartProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  faults: Faults;
}

const permissions: readonly { permission: Permission; label: string; hint: string }[] = [
  { permission: 'order', label: 'Place orders', hint: 'They are charged to the balance.' },
  { permission: 'manage', label: 'Manage gifts', hint: 'Redirect, resend, cancel, reschedule, replace links.' },
  {
    permission: 'links',
    label: 'See links and whole addresses',
    hint: 'Otherwise links are hidden and addresses are masked.',
  },
  { permission: 'events', label: 'Follow events', hint: 'Such as: a gift was opened, claimed or spent.' },
];

export const PermissionFields = ({
  draft,
  change,
  offered,
}: PartProps & { offered?: readonly Permission[] | undefined }) => (
  <FieldGroup legend="What it may do">
    <Choice
      type="checkbox"
      label="Read orders, gifts, categories and the balance"
      hint="Always."
      isChecked
      isDisabled
    />
    {permissions.map(({ permission, label, hint }) => (
      <Choice
        key={permission}
        type="checkbox"
        label={label}
        hint={offered?.includes(permission) === false ? 'It did not ask for this.' : hint}
        isChecked={draft.permissions.includes(permission)}
        isDisabled={offered?.includes(permission) === false}
        onChange={(isChecked) => {
          const others = draft.permissions.filter((other) => other !== permission);
          change({ permissions: isChecked ? [...others, permission] : others });
        }}
      />
    ))}
  </FieldGroup>
);

const reaches = [
  { reach: 'own', label: 'Only what it ordered itself' },
  { reach: 'all', label: 'Everything of the organization' },
] as const;

export const ReachFields = ({ draft, change }: PartProps) => (
  <FieldGroup legend="What it reaches">
    {reaches.map(({ reach, label }) => (
      <Choice
        key={reach}
        type="radio"
        name="reach"
        label={label}
        isChecked={draft.reach === reach}
        onChange={() => change({ reach })}
      />
    ))}
    <Warning>
      {draft.reach === 'all' && draft.permissions.includes('links') && 'The agent can open every unclaimed gift.'}
    </Warning>
    <Warning>
      {draft.reach === 'own' &&
        !draft.permissions.includes('order') &&
        'The agent places no orders, so it will see no orders and no gifts.'}
    </Warning>
  </FieldGroup>
);

const recipients = [
  { value: 'anyone', label: 'Anyone' },
  { value: 'domains', label: 'Only addresses at these domains' },
  { value: 'members', label: 'Only members of the organization' },
] as const;

export const RecipientFields = ({ draft, change, faults }: PartProps) => (
  <FieldGroup
    legend="Recipients"
    hint={
      draft.recipients === 'anyone' ? undefined : 'The agent cannot order link gifts, because anyone can claim them.'
    }
  >
    {recipients.map(({ value, label }) => (
      <Choice
        key={value}
        type="radio"
        name="recipients"
        label={label}
        isChecked={draft.recipients === value}
        onChange={() => change({ recipients: value })}
      />
    ))}
    {draft.recipients === 'domains' && (
      <DomainsField value={draft.domains} error={faults.domains} onChange={(domains) => change({ domains })} />
    )}
  </FieldGroup>
);

interface DomainsFieldProps {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function DomainsField({ value, error, onChange }: DomainsFieldProps) {
  const id = useId();
  return (
    <div className="sm:pl-6.5">
      <label htmlFor={id} className="mb-1 block font-semibold">
        Domains
      </label>
      <textarea
        id={id}
        rows={2}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        spellCheck={false}
        autoCapitalize="off"
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-description`}
        className={`${inputClass} block resize-y`}
      />
      <p id={`${id}-description`} className={`mt-1 text-sm ${error === undefined ? 'text-soft' : 'text-bad'}`}>
        {error ?? 'Such as example.com, example.org. Commas or lines separate them. Subdomains do not count.'}
      </p>
    </div>
  );
}

export function CategoryFields({ draft: { categories }, change, faults }: PartProps) {
  const { choices, error } = useCategories();
  const id = useId();
  const fault = faults.categories;
  return (
    <FieldGroup legend="Categories">
      <Choice
        type="radio"
        name="categories"
        label="All"
        isChecked={categories === undefined}
        onChange={() => change({ categories: undefined })}
      />
      <Choice
        type="radio"
        name="categories"
        label="Only chosen ones"
        isChecked={categories !== undefined}
        onChange={() => change({ categories: [] })}
      />
      {categories !== undefined && (
        <fieldset aria-describedby={fault && id} className="grid gap-x-4 gap-y-1 sm:grid-cols-2 sm:pl-6.5">
          <legend className="sr-only">Chosen categories</legend>
          {categoryOptions(choices).map(({ value, label }) => (
            <Choice
              key={value}
              type="checkbox"
              label={label}
              isChecked={categories.includes(value)}
              isInvalid={fault !== undefined}
              onChange={(isChecked) => {
                const others = categories.filter((other) => other !== value);
                change({ categories: isChecked ? [...others, value] : others });
              }}
            />
          ))}
          {fault !== undefined && (
            <p id={id} className="text-sm text-bad sm:col-span-2">
              {fault}
            </p>
          )}
        </fieldset>
      )}
      <FormError error={error} />
    </FieldGroup>
  );
}
