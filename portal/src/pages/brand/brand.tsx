import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useRef } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { NO_ROOM, readDraft, removeDraft, restoreTexts, useDraft, useDraftKey } from '../../layout/drafts.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, inputClass, TextField } from '../../ui/field.tsx';
import { Facts, Page, Panel } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useAct } from '../../ui/use-act.ts';
import {
  type Brand,
  type BrandDraft,
  brandQuery,
  changesOf,
  colorFault,
  draftOf,
  inputOf,
  isColor,
  texts,
} from './brand-draft.ts';
import { LogoSettings } from './brand-logo.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { SenderDomainSettings } from './brand-sender.tsx';

/** How the organization looks to recipients. */
export function BrandPage() {
  const { organizationId } = useScope();
  const brand = useQuery(brandQuery(organizationId));
  const key = useDraftKey('brand', 'of both');
  return (
    <Page
      title="Brand"
      description="What recipients see in emails and on the page of their gift, in Live and Sandbox mode."
    >
      {brand.data !== undefined ? (
        <BrandSettings key={key} storageKey={key} brand={brand.data} />
      ) : brand.error === null ? (
        <Skeleton lines={12} />
      ) : (
        <ErrorState error={brand.error} onRetry={() => void brand.refetch()} />
      )}
    </Page>
  );
}

function BrandSettings({ brand, storageKey }: { brand: Brand; storageKey: string }) {
  const { may } = useScope();
  // Only changes are kept, so what another person saves in the meantime stays.
  const form = useDraft(
    storageKey,
    () => draftOf(brand),
    (stored) => restoreTexts(draftOf(brand), stored),
    (changed) => changesOf(brand, changed),
  );
  const draft = form.value;
  const saved = useSaved(draft, (next) => form.restart(draftOf(next)));
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <div className="grid grid-cols-1 gap-6">
        <LogoSettings logo={brand.logo} />
        <Panel title="Colors and texts" description="An empty field looks as the service does.">
          {may('settings') ? (
            <BrandForm draft={draft} onChange={form.set} onSaved={saved} storageKey={storageKey}>
              {Object.keys(changesOf(brand, draft)).length > 0 && (
                <Unsaved isKept={form.isKept} onDiscard={() => form.restart(draftOf(brand))} />
              )}
            </BrandForm>
          ) : (
            <BrandFacts brand={brand} />
          )}
        </Panel>
      </div>
      <div className="min-w-0 lg:sticky lg:top-4">
        <BrandPreview draft={draft} logoPath={brand.logo?.path} />
      </div>
      <div className="min-w-0 lg:col-span-2">
        <SenderDomainSettings />
      </div>
    </div>
  );
}

const BrandFacts = ({ brand }: { brand: Brand }) => (
  <Facts
    facts={[
      ['Color', brand.color ?? 'Not set'],
      ['Text on it', brand.text_color ?? 'Not set'],
      ['Sender', brand.sender_name ?? 'Not set'],
      ['Subject', brand.subject ?? 'Not set'],
      ['Replies to', brand.reply_to ?? 'Not set'],
      [
        'Footer',
        <span key="footer" className="whitespace-pre-line">
          {brand.footer ?? 'Not set'}
        </span>,
      ],
    ]}
  />
);

/** What is written while a save is under way stays. */
function useSaved(draft: BrandDraft, onSaved: (saved: Brand) => void) {
  const latest = useRef(draft);
  latest.current = draft;
  return (sent: BrandDraft, saved: Brand) => latest.current === sent && onSaved(saved);
}

const Unsaved = ({ isKept, onDiscard }: { isKept: boolean; onDiscard: () => void }) => (
  <p role="status" className="mt-4 text-sm text-soft">
    Not saved yet. {!isKept && NO_ROOM}{' '}
    <button type="button" onClick={onDiscard} className="font-semibold text-accent underline">
      Discard changes
    </button>
  </p>
);

interface BrandFormProps {
  draft: BrandDraft;
  storageKey: string;
  onChange: (draft: BrandDraft) => void;
  onSaved: (sent: BrandDraft, saved: Brand) => void;
  /** Above the button. */
  children: ReactNode;
}

function BrandForm({ draft, storageKey, onChange, onSaved, children }: BrandFormProps) {
  const save = useSave(storageKey);
  const field = (name: keyof BrandDraft) => ({
    value: draft[name],
    onChange: (value: string) => onChange({ ...draft, [name]: value }),
  });
  const colorField = (name: 'color' | 'text_color') => ({ ...field(name), fault: colorFault(draft, name) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft, { onSuccess: (saved, sent) => onSaved(sent, saved) });
      }}
    >
      <ColorField label="Color" hint="Of buttons and ribbons." {...colorField('color')} />
      <ColorField
        label="Text on the color"
        hint="Its contrast must be 4.5 : 1 or more."
        {...colorField('text_color')}
      />
      <TextField
        label="Sender’s name"
        maxLength={80}
        hint="Instead of the organization’s name, if a gift has no sender."
        {...field('sender_name')}
      />
      <TextField
        label="Subject line"
        maxLength={120}
        hint="Of the first email. {sender} becomes the sender’s name."
        {...field('subject')}
      />
      <TextField
        label="Replies go to"
        type="email"
        maxLength={254}
        hint="Without it, replies go to the sender’s address."
        {...field('reply_to')}
      />
      <TextArea label="Footer" most={300} error={undefined} hint="Such as your postal address." {...field('footer')} />
      {children}
      <FormError error={save.error} />
      <Button type="submit" variant="primary" className="mt-4" isBusy={save.isPending}>
        Save
      </Button>
    </form>
  );
}

interface ColorFieldProps {
  label: string;
  hint: string;
  fault: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A picker, and the same color as text. */
function ColorField({ label, hint, fault, value, onChange }: ColorFieldProps) {
  const id = useId();
  return (
    <div className="mt-4 first:mt-0">
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={`${label}, picker`}
          value={isColor(value) ? value : '#888888'}
          onChange={(event) => onChange(event.target.value)}
          className="h-10 w-12 shrink-0 cursor-pointer rounded-xl border border-line-strong bg-surface p-1"
        />
        <input
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          placeholder="#1f5fa8"
          maxLength={7}
          spellCheck={false}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={`${id}-description`}
          className={inputClass}
        />
      </div>
      <p id={`${id}-description`} className={`mt-1 text-sm ${fault === undefined ? 'text-soft' : 'text-bad'}`}>
        {fault ?? hint}
      </p>
    </div>
  );
}

function useSave(storageKey: string) {
  const { organizationId } = useScope();
  return useAct({
    send: (draft: BrandDraft) =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/brand`, {
          params: { path: { organization_id: organizationId } },
          body: inputOf(draft),
        }),
      ),
    shows: brandQuery(organizationId).queryKey,
    // What was written later stays.
    onAnswer: (saved, sent) => {
      const kept = restoreTexts(draftOf(saved), readDraft(storageKey));
      if (texts.every((name) => kept[name] === sent[name])) removeDraft(storageKey);
    },
    done: 'Saved. New emails and pages look like this.',
    doneElsewhere: 'The brand is saved.',
  });
}
