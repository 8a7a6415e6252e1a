import { html } from 'ghtml';
import { type Proof, SANDBOX_CODE } from '../../core/card-proofs/prove.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import { isolated, isolatedAddress } from '../../platform/languages/isolated.ts';
import { englishWords } from '../../platform/languages/words.ts';
import { actPath, giftPath } from './base-path.ts';
import { digitsField } from './digits-field.ts';
import { button, notice, recipientPage, sandboxNote } from './page.ts';
import type { ShownGift } from './shown-gift.ts';

/** The page that asks for a proof before it shows a card's number. */
export function proofPage(gift: ShownGift, proof: Proof): string {
  const { words = englishWords } = gift;
  return recipientPage(
    words.say('proof.title'),
    html`<article class="gift">
<div class="names">
<h1>${words.say('proof.question')}</h1>
<p>${words.say('proof.text')}</p>
</div>
!${notice(gift.notice)}
!${question(gift, proof)}
<p><a class="button" href="${giftPath(gift.basePath)}">${words.say('proof.back')}</a></p>
!${sandboxNote(gift)}
</article>`,
    { words, face: gift.face },
  );
}

function question(gift: ShownGift, { by, hasPin, isPinEnded, address: to }: Proof): string {
  const { words = englishWords, basePath, senderName, isSandbox } = gift;
  const address = isolatedAddress(maskAddress(to ?? ''));
  const code = actPath(basePath, 'code');
  const ended = isPinEnded ? html`<p>${words.say('proof.pinEnded')}</p>` : '';
  const orPin = hasPin ? pinForm(gift, words.say('proof.orPin')) : ended;
  switch (by) {
    case 'code':
      return html`<p>!${words.say('proof.canSend', { address })}</p>
!${button(code, words.say('proof.send'))}
!${orPin}`;
    case 'code_sent':
      return html`<p role="status">!${isSandbox ? words.say('proof.sandbox', { code: SANDBOX_CODE }) : words.say('proof.sent', { address })}</p>
!${digitsForm(actPath(basePath, 'prove'), digitsField(words, words.say('proof.code'), 'one-time-code', true), words.say('open.gift'))}
!${button(code, words.say('proof.sendAgain'), 'plain')}
!${orPin}`;
    case 'pin':
      return pinForm(gift, words.say('proof.enterPin'));
    case 'reopened':
      return html`<p>!${words.say('proof.reopened', { sender: isolated(senderName) })}</p>
!${button(actPath(basePath, 'take'), words.say('proof.take'))}`;
    default:
      return html`!${ended}
<p>!${words.say('proof.otherBrowser', { sender: isolated(senderName) })}</p>`;
  }
}

const pinForm = ({ basePath, words = englishWords }: ShownGift, sentence: string): string =>
  html`<p>${sentence}</p>
!${digitsForm(actPath(basePath, 'prove'), html`<input type="hidden" name="by" value="pin">!${digitsField(words, words.say('proof.pin'), 'off', true, { id: 'pin' })}`, words.say('open.gift'))}`;

/** @param field markup */
export const digitsForm = (action: string, field: string, text: string): string =>
  html`<form class="digits-form" method="post" action="${action}">
!${field}
<button class="button primary">${text}</button>
</form>`;
