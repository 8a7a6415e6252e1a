import { html } from 'ghtml';
import { isolated } from '../../platform/languages/isolated.ts';
import { englishWords } from '../../platform/languages/words.ts';
import { actPath } from './base-path.ts';
import { offerFields } from './offers-form.ts';
import type { Choice, ShownGift } from './shown-gift.ts';

/** What the page shows as chosen, so that a claim cannot be of another category or offer. */
export const chosenField = ({ choice, offers }: Pick<ShownGift, 'choice' | 'offers'>): string =>
  html`!${choice === undefined ? '' : html`<input type="hidden" name="category" value="${choice.chosenId ?? ''}">`}!${offerFields(offers)}`;

/** The list to choose from; once something is chosen, it is folded and below the claim. */
export function choiceSection({ basePath, words = englishWords, choice }: ShownGift): string {
  if (choice === undefined) return '';
  const others = choice.offered.filter(({ category_id }) => category_id !== choice.chosenId);
  if (others.length === 0)
    return choice.chosenId === null ? html`<p class="notice">${words.say('choose.none')}</p>` : '';
  const list = html`<p class="note">${words.say('choose.note')}</p>
<form method="post" action="${actPath(basePath, 'choose')}">
<ul>
!${others.map(choiceButton)}</ul>
</form>`;
  return choice.chosenId === null
    ? html`<section class="choices" aria-labelledby="choices">
<h2 id="choices">${words.say('choose.title')}</h2>
!${list}
</section>`
    : html`<details class="choices">
<summary>${words.say('choose.other')}</summary>
!${list}
</details>`;
}

const choiceButton = ({ category_id, name, description, artwork }: Choice['offered'][number]) =>
  html`<li><button name="category" value="${category_id}">!${picture(artwork)}<span><strong>!${isolated(name)}</strong>!${description === '' ? '' : html` <small>!${isolated(description)}</small>`}</span></button></li>
`;

const picture = (artwork: string | null) =>
  artwork === null
    ? html`<span class="artwork"></span>`
    : html`<img class="artwork" src="${artwork}" width="1200" height="756" alt="" loading="lazy" referrerpolicy="no-referrer">`;

/** What the opened gift is worth, and for what. */
export const worth = ({ words = englishWords, choice, categoryName }: ShownGift, amount: string): string =>
  choice?.chosenId === null
    ? words.say('choose.worth', { amount })
    : words.say('opened.worth', { amount, category: isolated(categoryName) });
