import { html } from 'ghtml';
import type { Words } from '../../platform/languages/words.ts';

/** A button that copies a value. It is hidden until its script runs (copy.js). @param name for screen readers */
export function copyButton(words: Words, name: string, value: string): string {
  const answers =
    words.language === 'en'
      ? ''
      : html` data-copied="${words.say('copy.copied')}" data-failed="${words.say('copy.failed')}"`;
  return html`<button type="button" class="copy" data-copy="${value}"!${answers} hidden><span aria-live="polite">${words.say('copy.copy')}</span> <span class="unseen">${name}</span></button>`;
}
