import { html } from 'ghtml';
import { isolated } from '../languages/isolated.ts';
import { refuse, text } from './setting-kinds.ts';

/** Whom people ask about the service; at least one of them is set. */
export interface OperatorContact {
  name: string | null;
  email: string | null;
  url: string | null;
}

const isWebAddress = (value: string): boolean => {
  if (!URL.canParse(value) || value.length > 500) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
};

/** Whom the portal and the pages of gifts name as the operator, and how it is paid. */
export const operatorSettings = {
  OPERATOR_NAME: text(
    'Your name, as the portal shows it to members and a gift’s page to recipients, such as `Example Gifts Ltd`',
    'none: they say “the operator of this service”',
    (value, name) =>
      value === undefined || /^[^\p{Cc}\p{Bidi_Control}]{1,100}$/u.test(value)
        ? value
        : refuse(name, 'a name of at most 100 characters in one line'),
  ),
  OPERATOR_EMAIL: text(
    'Email address that both show, for questions about the service',
    'none: neither shows one',
    (value, name) =>
      value === undefined || /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(value)
        ? value
        : refuse(name, 'an email address such as help@example.com', value),
  ),
  OPERATOR_URL: text(
    'Page for such questions, such as `https://example.com/help`',
    'none: neither shows one',
    (value, name) =>
      value === undefined || isWebAddress(value)
        ? value
        : refuse(name, 'an http:// or https:// address without user and password'),
  ),
  FUNDING_INSTRUCTIONS: text(
    'How organizations fund their live balance, such as a bank account; the portal shows it beside the payment reference',
    'none: the portal asks them to contact you',
    (value, name) => ((value?.length ?? 0) <= 1_000 ? value : refuse(name, 'at most 1,000 characters')),
  ),
} as const;

export const operatorContact = (
  name: string | undefined,
  email: string | undefined,
  url: string | undefined,
): OperatorContact | undefined =>
  name === undefined && email === undefined && url === undefined
    ? undefined
    : { name: name ?? null, email: email ?? null, url: url ?? null };

/** A line with no words to translate. Without a referrer, because the address of the page is the gift's link. */
export function operatorLine(contact: OperatorContact | undefined): string {
  if (contact === undefined) return '';
  const { name, email, url } = contact;
  const parts = [
    ...(name === null ? [] : [isolated(name)]),
    ...(email === null ? [] : [html`<a href="mailto:${encodeURI(email)}">!${isolated(email)}</a>`]),
    ...(url === null ? [] : [html`<a href="${url}" rel="noreferrer">!${isolated(shortUrl(url))}</a>`]),
  ];
  return html`<p class="operator">!${parts.join(' · ')}</p>`;
}

const shortUrl = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
