import { html } from 'ghtml';
import { englishWords } from '../../platform/languages/words.ts';
import { actPath } from './base-path.ts';
import { chosenField } from './choose-form.ts';
import type { ShownGift } from './shown-gift.ts';
import { wayBackFields, withoutButton } from './way-back-form.ts';

/** The claim if the issuer needs to know nothing. */
export function claimButton(gift: ShownGift): string {
  const { basePath, words = englishWords, asksWayBack } = gift;
  const action = actPath(basePath, 'claim');
  return asksWayBack
    ? html`<form class="details" method="post" action="${action}">!${chosenField(gift)}
!${wayBackFields(gift)}
<button class="button primary large" formaction="${action}#way-back">${words.say('opened.claim')}</button>!${withoutButton(gift)}</form>`
    : html`<form method="post" action="${action}">!${chosenField(gift)}<button class="button primary large">${words.say('opened.claim')}</button></form>`;
}
