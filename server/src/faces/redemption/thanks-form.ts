import { html } from 'ghtml';
import { LONGEST_NOTE } from '../../core/gifts/claim/thank.ts';
import { isolated } from '../../platform/languages/isolated.ts';
import { englishWords } from '../../platform/languages/words.ts';
import { actPath } from './base-path.ts';
import type { ShownGift } from './shown-gift.ts';

/** The note to the sender: what was written, or the form, perhaps with what was typed and why it is refused. */
export type Thanks = { note: string | null } | { typed: string; error: string } | 'possible';

/** The holder's note to the sender. */
export function thanksSection({ basePath, senderName, words = englishWords }: ShownGift, thanks: Thanks): string {
  const sender = isolated(senderName);
  if (thanks !== 'possible' && 'note' in thanks)
    return html`<section class="panel thanks" id="thanks" aria-labelledby="thanks-title">
<h2 id="thanks-title">!${words.say('thanks.done', { sender })}</h2>
!${thanks.note === null ? '' : html`<blockquote dir="auto">${thanks.note}</blockquote>`}
</section>`;
  const refused = thanks === 'possible' ? undefined : thanks;
  return html`<section class="panel thanks" id="thanks" aria-labelledby="thanks-title">
<h2 id="thanks-title">${words.say('thanks.title')}</h2>
<form method="post" action="${actPath(basePath, 'thank')}#thanks">
<label for="note">!${words.say('thanks.label', { sender })}</label>
<textarea id="note" name="note" rows="3" maxlength="${LONGEST_NOTE}" required aria-describedby="note-hint!${refused === undefined ? '' : ' note-error'}"!${refused === undefined ? '' : ' aria-invalid="true"'}>
${refused?.typed ?? ''}</textarea>
<p id="note-hint">${words.say('thanks.hint', { most: LONGEST_NOTE })}</p>
!${refused === undefined ? '' : html`<p class="notice" id="note-error" role="alert">${refused.error}</p>`}
<button class="button">${words.say('thanks.send')}</button>
</form>
</section>`;
}
