import { html } from 'ghtml';
import { isolated } from '../../platform/languages/isolated.ts';
import { englishWords } from '../../platform/languages/words.ts';
import { actPath } from './base-path.ts';
import type { ShownGift } from './shown-gift.ts';

/** For who doubts the gift, or does not want it; folded, below an unclaimed gift. */
export function unsureNotes({ words = englishWords, ...gift }: ShownGift): string {
  const { say } = words;
  const [sender, organization] = [isolated(gift.senderName), isolated(gift.organizationName)];
  return html`<details class="unsure">
<summary>${say('real.title')}</summary>
<p>!${gift.organizationName === gift.senderName ? say('real.yes', { sender }) : say('real.yesFor', { organization, sender })}</p>
<p>${say('real.free')}</p>
</details>
!${
    gift.isDeclined
      ? html`<p class="note" id="declined" role="status">!${say('decline.done', { sender })}</p>`
      : html`<details class="unsure">
<summary>${say('decline.title')}</summary>
<p>!${say('decline.text', { sender })}</p>
<form method="post" action="${actPath(gift.basePath, 'decline')}"><button class="button">${say('decline.button')}</button></form>
</details>`
  }`;
}
