import { html } from 'ghtml';
import { artworkImage } from '../../core/catalog/artwork-image.ts';
import { type OperatorContact, operatorLine } from '../../platform/configuration/operator-contact.ts';
import { isolated, isolatedAddress } from '../../platform/languages/isolated.ts';
import { englishWords, type Words } from '../../platform/languages/words.ts';
import type { PageFace } from '../../platform/pages/layout.ts';
import { actPath, type BasePath } from './base-path.ts';
import { button, recipientPage } from './page.ts';

/** Whether a new link can be sent. The address is masked. */
export type NewLink =
  | { state: 'possible' | 'sent' | 'exhausted'; address: string; isSandbox: boolean }
  /** A claimed one can be found by the address that its holder entered, if they did. */
  | { state: 'impossible'; senderName: string; isClaimed?: boolean; operator?: OperatorContact | undefined };

/** The page of an expired link. */
export function expiredLinkPage(basePath: BasePath, newLink: NewLink, words = englishWords, face?: PageFace): string {
  const title = words.say(newLink.state === 'sent' ? 'expired.sentTitle' : 'expired.title');
  return recipientPage(
    title,
    html`<div class="gift">
!${artworkImage(null)}
<h1>${title}</h1>
!${newLinkOffer(basePath, newLink, words)}
</div>`,
    { words, face },
  );
}

function newLinkOffer(basePath: BasePath, newLink: NewLink, words: Words): string {
  if (newLink.state === 'impossible')
    return html`<p>!${words.say('expired.ask', { sender: isolated(newLink.senderName) })}</p>
!${newLink.isClaimed ? html`<p><a class="button" href="/find">${words.say('unknown.find')}</a></p>` : ''}
!${operatorLine(newLink.operator)}`;
  const address = isolatedAddress(newLink.address);
  const sandbox = newLink.isSandbox ? html`<p class="sandbox"><span>${words.say('sandbox.outbox')}</span></p>` : '';
  switch (newLink.state) {
    case 'possible':
      return html`<p>!${words.say('expired.possible', { address })}</p>
!${button(actPath(basePath, 'renew'), words.say('expired.send'))}
!${sandbox}`;
    case 'sent':
      return html`<p role="status">!${words.say('expired.sent', { address })}</p>
<p class="note">${words.say('expired.sentNote')}</p>
!${sandbox}`;
    case 'exhausted':
      return html`<p>!${words.say('expired.exhausted', { address })}</p>
<p class="note">${words.say('expired.tomorrow')}</p>`;
  }
}
