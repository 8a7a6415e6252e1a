import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { NO_ROOM } from '../../layout/drafts.ts';
import { Button } from '../../ui/button.tsx';
import { categoryOptions } from '../../ui/category.ts';
import { FormError, SelectField, TextField } from '../../ui/field.tsx';
import { formatRoundMoney } from '../../ui/formats.ts';
import { languageChoices } from '../../ui/languages.ts';
import { moneyText } from '../../ui/money-field.tsx';
import { Panel } from '../../ui/page.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { MessageField } from '../gift-form/message-field.tsx';
import {
  addressOf,
  amountOf,
  type Draft,
  emptyDraft,
  type Field,
  type FieldErrors,
  faultsOf,
  languageOf,
  MARKS_OF_ONE,
  personalizationOf,
  refusedField,
  sendTimeOf,
} from '../gift-form/send-draft.ts';
import { useWithoutIssuer, WithoutIssuer } from '../gift-form/without-issuer.tsx';
import { fillTexts, type TemplateTexts } from '../templates/template.ts';
import { TemplateChoice } from '../templates/template-choice.tsx';
import { AddressField, NameFields, type PartProps, type TextName } from './recipient-fields.tsx';

const COMMON_CENTS = [1_000, 2_500, 5_000, 10_000];

const methods = [
  { value: 'email', label: 'By email' },
  { value: 'phone', label: 'By text message' },
  { value: 'link', label: 'As a link that I share' },
] as const;

/** What a template fills in. */
const textsOf = ({ amount, category, senderName, message, language }: Draft): TemplateTexts => ({
  amount,
  category,
  senderName,
  message,
  language,
});

const choices = languageChoices('Automatic');

interface SendFormProps {
  draft: Draft;
  /** What the server refused when the gift was sent. */
  refused: FieldErrors;
  onChange: (draft: Draft) => void;
  /** Whether the tab keeps what is typed. */
  isKept: boolean;
  onReview: () => void;
  onDiscard: () => void;
}

/** Writes a gift. The server checks every field before the review. */
export function SendForm(props: SendFormProps) {
  const { draft } = props;
  const { change, review, field, check, isAboutField } = useChecks(props);
  const issuers = useWithoutIssuer([draft.category]);
  return (
    <Panel title="Gift">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          review();
        }}
      >
        <TemplateChoice
          value={draft.template}
          onChoose={({ id, template, earlier }) =>
            change({ ...fillTexts(textsOf(draft), textsOf(emptyDraft()), { chosen: template, earlier }), template: id })
          }
        />
        <SelectField
          label="How it reaches the recipient"
          value={draft.method}
          onChange={(method) => change({ method })}
          options={methods}
        />
        <AddressField draft={draft} field={field} onChange={change} />
        <AmountField draft={draft} field={field} onPick={(amount) => change({ amount })} />
        <CategoryField draft={draft} error={field('category').error} onChange={(category) => change({ category })} />
        <WithoutIssuer issuers={issuers} />
        <NameFields draft={draft} field={field} onChange={change} />
        <MessageField {...field('message')} offered={MARKS_OF_ONE} />
        <WhenFields draft={draft} field={field} onWhen={(when) => change({ when })} />
        <SelectField
          label="Language"
          value={draft.language}
          onChange={(language) => change({ language })}
          options={choices}
          hint="Automatic: the organization’s language, or else the recipient’s browser’s."
        />
        <FormError error={isAboutField ? null : check.error} />
        <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="primary" isBusy={check.isPending} disabled={issuers.isRefused}>
            Review gift
          </Button>
          <Button variant="quiet" onClick={props.onDiscard}>
            Start again
          </Button>
          <p className="text-sm text-soft">Nothing is charged yet. {!props.isKept && NO_ROOM}</p>
        </div>
      </form>
    </Panel>
  );
}

/** Checks fields: those that were left at once, all of them before the review. */
function useChecks({ draft, refused, onChange, onReview }: SendFormProps) {
  const { path, currency, marks } = useScope();
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const [isTried, setIsTried] = useState(false);
  const check = useAct({
    isRead: true,
    send: (amount: number) => {
      const { method, category } = draft;
      const body = {
        method,
        amount,
        category,
        ...personalizationOf(draft, marks),
        ...languageOf(draft),
        ...addressOf(draft),
        ...sendTimeOf(draft),
      };
      return unwrap(api.POST(`${SCOPE_PATH}/orders/preview`, { params: { path }, body }));
    },
  });
  const faults = faultsOf(draft, marks);
  const checked = refusedField(check.error);
  const change = (changes: Partial<Draft>) => {
    check.reset();
    onChange({ ...draft, ...changes });
  };
  return {
    check,
    change,
    isAboutField: checked !== undefined,
    review() {
      setIsTried(true);
      const amount = amountOf(draft, currency);
      if (amount !== undefined && Object.keys(faults).length === 0) check.mutate(amount, { onSuccess: onReview });
    },
    /** What a text field has in common with the others. */
    field: (name: TextName) => ({
      value: draft[name],
      onChange: (text: string) => change({ [name]: text }),
      onBlur: () => setLeft(new Set([...left, name])),
      error: (isTried || left.has(name) ? faults[name] : undefined) ?? checked?.[name] ?? refused[name],
      autoComplete: 'off',
    }),
  };
}

const times = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Later' },
] as const;

function WhenFields({ draft, field, onWhen }: PartProps & { onWhen: (when: Draft['when']) => void }) {
  if (draft.method === 'link') return null;
  return (
    <div className="mt-4 grid gap-x-4 gap-y-4 sm:grid-cols-2 *:mt-0">
      <SelectField label="When we send it" value={draft.when} onChange={onWhen} options={times} />
      {draft.when === 'later' && <TimeField {...field('sendAt')} />}
    </div>
  );
}

function AmountField({ draft, field, onPick }: PartProps & { onPick: (amount: string) => void }) {
  const { currency } = useScope();
  return (
    <div className="mt-4">
      <TextField
        label={`Amount (${currency})`}
        inputMode="decimal"
        hint={`From ${formatRoundMoney(1_000, currency)} to ${formatRoundMoney(50_000, currency)}.`}
        {...field('amount')}
      />
      <fieldset className="mt-2 flex flex-wrap gap-2">
        <legend className="sr-only">Common amounts</legend>
        {COMMON_CENTS.map((cents) => (
          <Button
            key={cents}
            size="small"
            aria-pressed={amountOf(draft, currency) === cents}
            onClick={() => onPick(moneyText(cents))}
            className="aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent"
          >
            {formatRoundMoney(cents, currency)}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}

interface CategoryFieldProps {
  draft: Draft;
  error: string | undefined;
  onChange: (category: string) => void;
}

function CategoryField({ draft, error, onChange }: CategoryFieldProps) {
  const categories = useCategories();
  return (
    <>
      <SelectField
        label="Category"
        value={draft.category}
        onChange={onChange}
        error={error}
        options={[
          { value: '', label: categories.isPending ? 'Loading…' : 'Choose a category' },
          ...categoryOptions(categories.choices),
        ]}
      />
      <FormError error={categories.error} />
    </>
  );
}
