import { useState } from 'react';
import { useContactSuggestions } from '../../api/contact-suggestions.ts';
import type { Contact } from '../../api/contacts.ts';
import { useScope } from '../../api/use-scope.ts';
import { TextField } from '../../ui/field.tsx';
import { SuggestionField } from '../../ui/suggestion-field.tsx';
import { cleanAddressOf, cleanedHint, type Draft, type Field } from '../gift-form/send-draft.ts';

export type TextName = Exclude<Field, 'method' | 'when' | 'language' | 'template'>;

export interface PartProps {
  draft: Draft;
  field: (name: TextName) => {
    value: string;
    onChange: (text: string) => void;
    onBlur: () => void;
    error: string | undefined;
    autoComplete: string;
  };
}

interface RecipientProps extends PartProps {
  onChange: (changes: Partial<Draft>) => void;
}

/** What a contact fills in: whom the gift is for, and where it goes. A contact without a language leaves it as it is. */
export const fieldsOf = ({ delivery, name, language }: Contact): Partial<Draft> => ({
  method: delivery.phone === undefined ? 'email' : 'phone',
  email: delivery.email ?? '',
  phone: delivery.phone ?? '',
  recipientName: name ?? '',
  ...(language !== null && { language: language as Draft['language'] }),
});

/** A field in which a contact is found by the start of its name or its address. Only what is typed is searched. */
function useContactField(field: ReturnType<PartProps['field']>, onChange: RecipientProps['onChange']) {
  const [typed, setTyped] = useState('');
  const { suggestions } = useContactSuggestions(typed);
  return {
    ...field,
    suggestions,
    counted: 'contact',
    onChange(text: string) {
      setTyped(text);
      field.onChange(text);
    },
    onChoose({ contact }: { contact: Contact }) {
      setTyped('');
      onChange(fieldsOf(contact));
    },
  };
}

const emailLook = {
  label: 'Email address',
  type: 'email',
  placeholder: 'name@example.com',
  spellCheck: false,
} as const;
const phoneLook = { label: 'Phone number', type: 'tel', placeholder: '+1 202 555 0100' } as const;

/** Where the gift goes. */
export function AddressField({ draft, field, onChange }: RecipientProps) {
  const { environment, me, may } = useScope();
  const { method } = draft;
  const address = useContactField(field(method === 'phone' ? 'phone' : 'email'), onChange);
  const cleaned = cleanedHint(cleanAddressOf(draft));
  const sandboxHint =
    environment === 'sandbox'
      ? `Nothing is sent in the sandbox. Use delivered@${me.service.sandbox_mail_domain} to simulate a delivery.`
      : undefined;
  // One field for both, so that a contact with the other kind of address leaves the focus where it is.
  if (method !== 'link')
    return (
      <SuggestionField
        {...address}
        {...(method === 'email' ? emailLook : phoneLook)}
        hint={cleaned ?? (method === 'email' ? sandboxHint : undefined)}
      />
    );
  return (
    <p className="mt-2 text-sm text-soft">
      {may('order') ? 'You get the link' : 'An admin gets the link'} when the gift is bought. Anyone with it can claim.
    </p>
  );
}

/** Whom it is for and whom it is from. */
export function NameFields({ draft, field, onChange }: RecipientProps) {
  const { membership } = useScope();
  const recipient = useContactField(field('recipientName'), onChange);
  const label = 'Recipient’s name (optional)';
  return (
    <div className="mt-4 grid gap-x-4 sm:grid-cols-2 sm:*:mt-0">
      {draft.method === 'link' ? (
        <TextField label={label} {...field('recipientName')} />
      ) : (
        <SuggestionField label={label} {...recipient} />
      )}
      <TextField label="Sender’s name (optional)" placeholder={membership.organization_name} {...field('senderName')} />
    </div>
  );
}
