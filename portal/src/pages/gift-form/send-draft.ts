import { type CleanAddress, cleanAddress } from 'bestow-readers/address.ts';
import type { Mark } from 'bestow-readers/marks.ts';
import { ApiError } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { LEAST_CENTS, LONGEST_MESSAGE, MOST_CENTS } from '../../base/gift-limits.ts';
import { isRecord, readDraft, removeDraft, restoreTexts } from '../../layout/drafts.ts';
import type { Language } from '../../ui/languages.ts';
import { parseMoney } from '../../ui/money-field.tsx';
import { faultOfTime, isoOf } from '../../ui/time-field.tsx';
import { fillMessage, type MarkScope } from './fill-message.ts';

export type Method = 'email' | 'phone' | 'link';

/** A gift as a person types it. */
export interface Draft {
  method: Method;
  email: string;
  phone: string;
  amount: string;
  category: string;
  recipientName: string;
  senderName: string;
  message: string;
  language: Language | '';
  /** The id of the template that filled the form, or empty. */
  template: string;
  when: 'now' | 'later';
  /** In the person's time zone: `2026-12-24T09:00`. */
  sendAt: string;
}

export type Field = keyof Draft;
export type FieldErrors = Partial<Record<Field, string>>;

const LONGEST_NAME = 200;
const LOST_LETTERS = 'The sign � stands for letters that were lost. Write the text again.';

export const emptyDraft = (): Draft => ({
  method: 'email',
  email: '',
  phone: '',
  amount: '25.00',
  category: '',
  recipientName: '',
  senderName: '',
  message: '',
  language: '',
  template: '',
  when: 'now',
  sendAt: '',
});

/** A form for one gift, as the tab keeps it. */
export interface KeptForm {
  /** The key of the order: one form buys once. */
  formId: string;
  draft: Draft;
  /** Whether it was sent and no answer said that nothing was bought. */
  isTried: boolean;
}

export const newForm = (draft = emptyDraft()): KeptForm => ({ formId: newFormId(), draft, isTried: false });

/** Reads what a tab kept, which may be of an older portal. */
export function restoreForm(stored: unknown): KeptForm | undefined {
  if (!isRecord(stored) || typeof stored['formId'] !== 'string') return undefined;
  const draft = restoreTexts<Draft>(emptyDraft(), stored['draft']);
  if (!['email', 'phone', 'link'].includes(draft.method)) return undefined;
  return { formId: stored['formId'], draft, isTried: stored['isTried'] === true };
}

/** A form and where the tab keeps it. */
export interface StoredForm {
  key: string;
  form: KeptForm;
}

/** Forgets a form that was sent, also if its page was left; a newer one stays. */
export function removeForm(key: string, formId: string): void {
  if (restoreForm(readDraft(key))?.formId === formId) removeDraft(key);
}

/** Whether no answer says that nothing was bought. */
export const isUnanswered = (error: unknown) =>
  error instanceof ApiError && ['unreachable', 'unknown'].includes(error.code);

/** A random UUID. `crypto.randomUUID` is missing over plain HTTP. */
export function newFormId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The order's idempotency key. */
export const keyOfForm = (formId: string) => `portal-${formId}`;

/** Returns the amount in cents, or undefined if no gift can have it. */
export function amountOf({ amount }: Draft, currency: string): number | undefined {
  const cents = parseMoney(amount, currency, MOST_CENTS);
  return cents === undefined || cents < LEAST_CENTS ? undefined : cents;
}

/** What can be said without the server. */
export function faultsOf(draft: Draft, scope: MarkScope): FieldErrors {
  const { currency } = scope;
  const faults: FieldErrors = {};
  if (draft.method !== 'link' && draft[draft.method].trim() === '')
    faults[draft.method] =
      draft.method === 'email' ? 'Enter the recipient’s email address.' : 'Enter the recipient’s phone number.';
  if (amountOf(draft, currency) === undefined) faults.amount = 'Enter an amount from 10.00 to 500.00.';
  if (draft.category === '') faults.category = 'Choose a category.';
  for (const field of ['recipientName', 'senderName'] as const)
    if ([...draft[field]].length > LONGEST_NAME) faults[field] = `At most ${LONGEST_NAME} characters.`;
  const { fault: ofMarks } = filledOf(draft, scope);
  const isOfName = ofMarks?.mark === 'name' || ofMarks?.mark === 'first_name';
  if (ofMarks !== undefined) faults[isOfName ? 'recipientName' : 'message'] = ofMarks.message;
  if ([...draft.message].length > LONGEST_MESSAGE) faults.message = `At most ${LONGEST_MESSAGE} characters.`;
  for (const field of ['recipientName', 'senderName', 'message'] as const)
    if (draft[field].includes('\ufffd')) faults[field] = LOST_LETTERS;
  const fault = isLater(draft) ? faultOfTime(draft.sendAt) : undefined;
  if (fault !== undefined) faults.sendAt = fault;
  return faults;
}

/** A link exists at once. */
export const isLater = ({ method, when }: Draft) => method !== 'link' && when === 'later';

/** When the gift is sent; nothing if at once. */
export const sendTimeOf = (draft: Draft) => (isLater(draft) ? { send_at: isoOf(draft.sendAt) } : {});

const fields: Record<string, Field> = {
  email: 'email',
  phone: 'phone',
  amount: 'amount',
  category: 'category',
  recipient_name: 'recipientName',
  sender_name: 'senderName',
  message: 'message',
  send_at: 'sendAt',
};

/** The field that the server refused, with its words; undefined if the error is about another thing. */
export function refusedField(error: unknown): FieldErrors | undefined {
  if (!(error instanceof ApiError) || error.param === undefined) return undefined;
  const field = fields[error.param.split('.').at(-1) ?? ''];
  if (field === undefined) return undefined;
  const words = error.message.replace(error.param, '').trim();
  return { [field]: words.charAt(0).toUpperCase() + words.slice(1) };
}

type Personalization = NonNullable<components['schemas']['GiftToSend']['personalization']>;

/** Texts that were given, without spaces around names, and the message with its marks filled. */
export function personalizationOf(draft: Draft, scope: MarkScope): Personalization {
  const [recipient, sender] = [draft.recipientName.trim(), draft.senderName.trim()];
  const message = filledOf(draft, scope).text;
  return {
    ...(recipient === '' ? {} : { recipient_name: recipient }),
    ...(sender === '' ? {} : { sender_name: sender }),
    ...(message === '' ? {} : { message }),
  };
}

/** The marks of a gift that is written alone. */
export const MARKS_OF_ONE = ['name', 'first_name', 'sender', 'amount'] as const;

/** The message with its marks filled. */
function filledOf(draft: Draft, scope: MarkScope): ReturnType<typeof fillMessage> {
  const sender = draft.senderName.trim();
  const filled = fillMessage(draft.message.trim(), scope, {
    name: draft.recipientName.trim(),
    ...(sender !== '' && { sender }),
    amount_cents: amountOf(draft, scope.currency) ?? 0,
    ...languageOf(draft),
  });
  const mark = filled.fault?.mark;
  if (mark === undefined || (MARKS_OF_ONE as readonly Mark[]).includes(mark)) return filled;
  return { ...filled, fault: { mark, message: `Write it out: this form has nothing for {${mark}}.` } };
}

/** The chosen language, if any. */
export const languageOf = ({ language }: Draft) => (language === '' ? {} : { language });

/** The draft's address, without what copying added to it; undefined for a link. */
export const cleanAddressOf = (draft: Draft): CleanAddress | undefined =>
  draft.method === 'link' ? undefined : cleanAddress(draft.method, draft[draft.method]);

/** Says what was taken away from an address; undefined if nothing was. */
export const cleanedHint = (clean: CleanAddress | undefined) =>
  clean?.removed.length ? `We use ${clean.address}, without ${clean.removed.join(' and ')}.` : undefined;

/** The draft's address by its field. */
export const addressOf = (draft: Draft): { email?: string; phone?: string } =>
  draft.method === 'link' ? {} : { [draft.method]: cleanAddressOf(draft)?.address };

export function giftOf(draft: Draft, amount: number, scope: MarkScope): components['schemas']['GiftToSend'] {
  const { method, category } = draft;
  const { email = '', phone = '' } = addressOf(draft);
  const delivery = method === 'email' ? { method, email } : method === 'phone' ? { method, phone } : { method };
  return {
    amount,
    category,
    delivery,
    personalization: personalizationOf(draft, scope),
    ...languageOf(draft),
    ...sendTimeOf(draft),
  };
}
