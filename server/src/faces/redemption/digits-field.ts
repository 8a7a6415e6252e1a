import { html } from 'ghtml';
import type { Words } from '../../platform/languages/words.ts';

/** A field for six digits, or another number of them. */
export const digitsField = (
  words: Words,
  label: string,
  autocomplete: string,
  isRequired: boolean,
  { digits = 6, id = 'digits', typed = '' }: { digits?: number; id?: string; typed?: string | undefined } = {},
): string =>
  html`<label for="${id}">${label}</label>
<input id="${id}" name="digits" inputmode="numeric" autocomplete="${autocomplete}" pattern="[0-9]{${digits}}" maxlength="${digits}"!${typed === '' ? '' : html` value="${typed}"`}!${digits === 6 ? html` title="${words.say('digits.title')}"` : ''}!${words.direction === 'rtl' ? ' dir="ltr"' : ''}!${isRequired ? ' required' : ''}>`;
