import { html } from 'ghtml';
import { operatorLine } from '../../platform/configuration/operator-contact.ts';
import { isolated } from '../../platform/languages/isolated.ts';
import { englishWords } from '../../platform/languages/words.ts';
import type { ShownCard } from './shown-card.ts';
import type { ShownGift } from './shown-gift.ts';

/** How to use the card or code, in three steps. */
export function steps(
  { categoryName, words = englishWords }: ShownGift,
  { presentation, isRevealed }: ShownCard,
): string {
  const list = (...items: readonly [string, string, string]) =>
    html`<section class="steps" aria-labelledby="steps">
<h2 id="steps">${words.say('steps.title')}</h2>
<ol>!${items.map((item) => html`<li><span>!${item}</span></li>`)}</ol>
</section>`;
  const back = words.say('steps.comeBack');
  switch (presentation.kind) {
    case 'codes':
      return list(
        words.say(isRevealed ? 'steps.copyCode' : 'steps.showCode'),
        words.say('steps.enterCode', { shop: isolated(presentation.shop) }),
        words.say('steps.shopKnows'),
      );
    case 'redirect':
      return list(words.say('steps.open'), words.say('steps.follow'), words.say('link.back'));
    default:
      return list(
        words.say(isRevealed ? 'steps.keepOpen' : 'steps.showNumber'),
        words.say('steps.payByCard', { category: isolated(categoryName) }),
        back,
      );
  }
}

/** Who helps, and what to tell them. */
export function help({ organizationName, senderName, giftId, operator, words = englishWords }: ShownGift): string {
  const organization = isolated(organizationName);
  const number = html`<code>${giftId}</code>`;
  const sender = isolated(senderName);
  return html`<section class="help" aria-labelledby="help">
<h2 id="help">${words.say('help.title')}</h2>
<p>!${organizationName === senderName ? words.say('help.ask', { organization, number }) : words.say('help.through', { organization, sender, number })}</p>
!${operatorLine(operator)}
</section>`;
}
