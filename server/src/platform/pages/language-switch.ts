import { html } from 'ghtml';
import { LANGUAGES, type Language, languageTags } from '../languages/languages.ts';
import type { Words } from '../languages/words.ts';

/** The parameter of a page's URL and the cookie that remember a choice. */
export const LANGUAGE_PARAMETER = 'language';

const choice = (language: Language, current: Language) =>
  html`<li><a lang="${language}" hreflang="${language}" href="?${LANGUAGE_PARAMETER}=${language}" dir="auto"!${language === current ? ' aria-current="true"' : ''}>${LANGUAGES[language]}</a></li>`;

/** Links to the same page in every language, each in its own name. It needs no script. */
export const languageSwitch = ({ language, say }: Words): string =>
  html`<nav class="languages" aria-label="${say('chrome.language')}"><details>
<summary>${LANGUAGES[language]}</summary>
<ul>!${languageTags.map((tag) => choice(tag, language))}</ul>
</details></nav>`;
