import { html } from 'ghtml';
import { englishWords } from '../languages/words.ts';
import { actPath } from './base-path.ts';
import { chosenField } from './choose-form.ts';
import { digitsField } from './digits-field.ts';
import type { ShownGift } from './page.ts';

/** The claim if the issuer needs to know nothing. A link gift has no address that a code could be sent to, so it has a PIN. */
export function claimButton(gift: ShownGift): string {
  const { basePath, words = englishWords, offersPin } = gift;
  const pin = html`
<details>
<summary>${words.say('pin.set')}</summary>
<p>${words.say('pin.why')}</p>
!${digitsField(words, words.say('pin.label'), 'off', false)}
</details>
`;
  return html`<form method="post" action="${actPath(basePath, 'claim')}"!${offersPin ? ' class="with-pin"' : ''}>!${chosenField(gift)}<button class="button primary large">${words.say('opened.claim')}</button>!${offersPin ? pin : ''}</form>`;
}
