import { html } from 'ghtml';
import type { Words } from '../languages/words.ts';

/** A field for six digits. */
export const digitsField = (words: Words, label: string, autocomplete: string, isRequired: boolean): string =>
  html`<label for="digits">${label}</label>
<input id="digits" name="digits" inputmode="numeric" autocomplete="${autocomplete}" pattern="[0-9]{6}" maxlength="6" title="${words.say('digits.title')}"!${words.direction === 'rtl' ? ' dir="ltr"' : ''}!${isRequired ? ' required' : ''}>`;
