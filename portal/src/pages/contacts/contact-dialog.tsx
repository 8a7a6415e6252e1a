import { cleanAddress } from 'bestow-readers/address.ts';
import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useMaySend } from '../../api/contacts.ts';
import { type UnsentGifts, useUnsentOfContacts } from '../../api/unsent-gifts.ts';
import { useScope } from '../../api/use-scope.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { type Language, languageChoices } from '../../ui/languages.ts';
import { endings, outcomeText, UnsentChoice } from '../../ui/unsent-choice.tsx';
import { useAct } from '../../ui/use-act.ts';
import { addressOf, type Contact, type ContactToSave, readTags, useTags } from './contact.ts';
import { SendToContact } from './send-to-contact.tsx';
import { readTypedDay } from './typed-day.ts';

interface Draft {
  address: string;
  name: string;
  language: Language | '';
  tags: string;
  reference: string;
  birthday: string;
  anniversary: string;
}

const draftOf = (contact: Contact | undefined): Draft => ({
  address: contact === undefined ? '' : addressOf(contact),
  name: contact?.name ?? '',
  language: (contact?.language ?? '') as Language | '',
  tags: contact?.tags.join(', ') ?? '',
  reference: contact?.external_id ?? '',
  birthday: contact?.birthday ?? '',
  anniversary: contact?.work_anniversary ?? '',
});

const dayOf = (text: string) => {
  const read = readTypedDay(text);
  return 'day' in read ? read.day : text.trim();
};

const faultOfDay = (text: string) => {
  const read = readTypedDay(text);
  return 'fault' in read ? read.fault : undefined;
};

/** Of a known contact only what was changed: the rest may be masked, or another person’s change of a moment ago. */
function changesOf(draft: Draft, before: Draft): Partial<ContactToSave> {
  const body = bodyOf(draft);
  const isChanged = (name: keyof Draft) => draft[name].trim() !== before[name];
  return Object.fromEntries(
    Object.entries(fieldNames).flatMap(([name, field]) =>
      isChanged(name as keyof Draft) ? [[field, body[field]]] : [],
    ),
  );
}

const fieldNames = {
  address: 'delivery',
  name: 'name',
  language: 'language',
  tags: 'tags',
  reference: 'external_id',
  birthday: 'birthday',
  anniversary: 'work_anniversary',
} as const satisfies Record<keyof Draft, keyof ContactToSave>;

function bodyOf(draft: Draft): ContactToSave {
  const isPhone = draft.address.trim().startsWith('+');
  const { address } = cleanAddress(isPhone ? 'phone' : 'email', draft.address);
  return {
    delivery: isPhone ? { method: 'phone', phone: address } : { method: 'email', email: address },
    name: draft.name.trim() || null,
    language: draft.language || null,
    tags: readTags(draft.tags),
    external_id: draft.reference.trim() || null,
    birthday: dayOf(draft.birthday),
    work_anniversary: dayOf(draft.anniversary),
  };
}

interface Saving {
  choice: Choice;
  onClose: () => void;
}

function useSaving(contact: Contact | undefined, draft: Draft, { choice, onClose }: Saving) {
  const { path, currency } = useScope();
  return useAct({
    send: async () => {
      if (contact === undefined)
        return unwrap(api.POST(`${SCOPE_PATH}/contacts`, { params: { path }, body: bodyOf(draft) }));
      const body = changesOf(draft, draftOf(contact));
      const params = { path: { ...path, contact_id: contact.contact_id }, query: { unsent_gifts: choice } };
      return unwrap(api.PUT(`${SCOPE_PATH}/contacts/{contact_id}`, { params, body }));
    },
    done: ({ unsent: outcome }) => `Contact saved. ${outcomeText(outcome, currency)}`.trim(),
    onDone: onClose,
  });
}

/** @param contact undefined for a new one */
export function ContactDialog({ contact, onClose }: { contact?: Contact; onClose: () => void }) {
  const { params } = useScope();
  const maySend = useMaySend();
  const [draft, setDraft] = useState(() => draftOf(contact));
  const [choice, setChoice] = useState<Choice>('follow');
  const unsent = useUnsentOfContacts(contact === undefined ? [] : [contact.contact_id]);
  const before = draftOf(contact);
  const saving = useSaving(contact, draft, { choice, onClose });
  const [isTried, setIsTried] = useState(false);
  const dayFaults = { birthday: faultOfDay(draft.birthday), work_anniversary: faultOfDay(draft.anniversary) };
  const faultOf = (field: string) => {
    const ofDay = field === 'birthday' || field === 'work_anniversary' ? dayFaults[field] : undefined;
    if (isTried && ofDay !== undefined) return ofDay;
    if (!(saving.error instanceof ApiError) || saving.error.param?.split(/[.[]/)[0] !== field) return undefined;
    const { message } = saving.error;
    return message.startsWith(field) ? faults[field] : message.replace('external_id', 'reference');
  };
  const isMoved = draft.address.trim() !== before.address;
  const isAsked = isMoved || asked.some((field) => draft[field] !== before[field]);
  const isOfField = Object.keys(faults).some((field) => faultOf(field) !== undefined);
  return (
    <Dialog
      isOpen
      isHeld={saving.isPending}
      onClose={onClose}
      title={contact === undefined ? 'Add a contact' : 'Edit the contact'}
    >
      <DialogForm
        noValidate
        onSubmit={() => {
          setIsTried(true);
          if (Object.values(dayFaults).every((fault) => fault === undefined)) saving.mutate();
        }}
        onCancel={onClose}
        error={isOfField ? null : saving.error}
        isBusy={saving.isPending}
        action="Save contact"
        isIncomplete={draft.address.trim() === ''}
        isCancelDisabled={saving.isPending}
        extraButton={
          contact !== undefined && maySend && <SendToContact contact={contact} params={params} size="normal" />
        }
      >
        <ContactFields draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} faultOf={faultOf} />
        {isAsked && (
          <UnsentChoice
            unsent={unsent.data}
            options={optionsOf(isMoved, unsent.data)}
            value={choice}
            onChange={setChoice}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

type Choice = 'follow' | 'cancel' | 'keep';

/** A change of these may change whether a rule sends to the person. */
const asked = ['tags', 'birthday', 'anniversary'] as const;

const optionsOf = (isMoved: boolean, unsent: UnsentGifts | undefined): { value: Choice; label: string }[] => [
  {
    value: 'follow',
    label: !isMoved
      ? 'Cancel it only if no rule sends it on that day any more.'
      : unsent?.may_move === true
        ? 'Send it to the new address.'
        : 'Cancel it, and ask again for the new address.',
  },
  ...endings(unsent),
];

/** The server's errors by field. */
const faults: Record<string, string> = {
  delivery: 'Enter an email address, or a phone number that begins with + and its country.',
  external_id: 'Write it on one line.',
  tags: 'Write at most 20 tags of 60 characters.',
  birthday: 'Enter a day that is not in the future.',
  work_anniversary: 'Enter a day, such as 2021-09-01.',
};

interface ContactFieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  faultOf: (field: string) => string | undefined;
}

function ContactFields({ draft, onChange, faultOf }: ContactFieldsProps) {
  const tags = useTags();
  const shared = { autoComplete: 'off' } as const;
  return (
    <>
      <TextField
        {...shared}
        label="Email address or phone number"
        value={draft.address}
        onChange={(address) => onChange({ address })}
        error={faultOf('delivery')}
        spellCheck={false}
        maxLength={254}
      />
      <TextField {...shared} label="Name" value={draft.name} onChange={(name) => onChange({ name })} maxLength={200} />
      <TextField
        {...shared}
        label="Tags"
        value={draft.tags}
        onChange={(text) => onChange({ tags: text })}
        error={faultOf('tags')}
        hint={
          tags.length === 0
            ? 'Such as berlin, engineering.'
            : `In use: ${tags
                .slice(0, 8)
                .map(({ tag }) => tag)
                .join(', ')}`
        }
      />
      <div className="mt-4 grid gap-4 *:mt-0! sm:grid-cols-2">
        <TextField
          {...shared}
          label="Birthday"
          value={draft.birthday}
          onChange={(birthday) => onChange({ birthday })}
          error={faultOf('birthday')}
          hint="1985-03-14, or 03-14"
        />
        <TextField
          {...shared}
          label="First day of work"
          value={draft.anniversary}
          onChange={(anniversary) => onChange({ anniversary })}
          error={faultOf('work_anniversary')}
          hint="2021-09-01"
        />
        <SelectField
          label="Language"
          value={draft.language}
          onChange={(language) => onChange({ language })}
          options={languageChoices('As the organization’s')}
        />
        <TextField
          {...shared}
          label="Your reference"
          value={draft.reference}
          onChange={(reference) => onChange({ reference })}
          error={faultOf('external_id')}
          maxLength={255}
        />
      </div>
    </>
  );
}
