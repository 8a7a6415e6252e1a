import { html } from 'ghtml';
import { artworkImage } from '../../core/catalog/artwork-image.ts';
import type { Words } from '../../platform/languages/words.ts';

// A box of 320 by 140 with its bottom at y = 352 and its lid on top. The stylesheet animates the parts.

const PAPER = html`<defs>
<linearGradient id="paper" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#e3b39c"/><stop offset=".28" stop-color="#f0cbb7"/><stop offset="1" stop-color="#f3d5c4"/></linearGradient>
<linearGradient id="ribbon" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#7a1934"/><stop offset=".3" stop-color="#b23a58"/><stop offset="1" stop-color="#9c2544"/></linearGradient>
<linearGradient id="loop" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c85270"/><stop offset="1" stop-color="#9c2544"/></linearGradient>
<linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#4a1020" stop-opacity=".34"/><stop offset="1" stop-color="#4a1020" stop-opacity="0"/></linearGradient>
<pattern id="dots" width="40" height="40" patternUnits="userSpaceOnUse"><path d="M10 4L16 10 10 16 4 10ZM30 24L36 30 30 36 24 30Z" fill="#fff6ec" opacity=".55"/><circle cx="30" cy="10" r="2.4" fill="#9c2544" opacity=".3"/><circle cx="10" cy="30" r="2.4" fill="#9c2544" opacity=".3"/></pattern>
</defs>`;

const SHADOW = '<ellipse class="ground" cx="200" cy="354" rx="184" ry="13"/>';

const BOX = html`<g class="box"><path fill="url(#paper)" d="M40 206H360V338A14 14 0 0 1 346 352H54A14 14 0 0 1 40 338Z"/><path fill="url(#dots)" d="M40 206H360V338A14 14 0 0 1 346 352H54A14 14 0 0 1 40 338Z"/><path fill="url(#ribbon)" d="M176 206H224V352H176Z"/><path fill="url(#shade)" d="M40 206H360V232H40Z"/></g>`;

const LID = html`<g class="lid"><rect fill="url(#paper)" x="28" y="168" width="344" height="48" rx="10"/><rect fill="url(#dots)" x="28" y="168" width="344" height="48" rx="10"/><path fill="#fff8f0" opacity=".5" d="M38 168H362A10 10 0 0 1 371 174H29A10 10 0 0 1 38 168Z"/><path fill="url(#ribbon)" d="M172 168H228V216H172Z"/>
<g class="bow"><path fill="#7a1934" d="M186 160L142 238 167 233 180 254 203 172ZM214 160L258 238 233 233 220 254 197 172Z"/><path fill="url(#loop)" d="M198 166C170 92 84 72 78 122 74 168 152 176 198 166ZM202 166C230 92 316 72 322 122 326 168 248 176 202 166Z"/><path fill="#7a1934" d="M180 154C158 116 112 102 106 128 104 152 148 160 180 154ZM220 154C242 116 288 102 294 128 296 152 252 160 220 154Z"/><rect fill="#c85270" x="178" y="142" width="44" height="42" rx="13"/><path fill="#e487a0" opacity=".6" d="M184 150C194 145 206 145 216 150 206 148 194 148 184 150Z"/></g></g>`;

const INSIDE = html`<path class="inside" d="M40 206L62 184H338L360 206Z"/>`;

const CONFETTI = html`<g class="confetti"><path fill="#d9a441" d="M52 132l12 5-5 12-12-5Z"/><path fill="#9c2544" d="M330 96l11-7 7 11-11 7Z"/><circle fill="#5f8a5a" cx="96" cy="38" r="6"/><path fill="#c85270" d="M368 152l13 2-2 9-13-2Z"/><path fill="#5b7fa6" d="M24 76l10 8-6 7-10-8Z"/></g>
<g class="confetti late"><path fill="#5f8a5a" d="M356 40l12 5-5 11-12-5Z"/><circle fill="#d9a441" cx="300" cy="22" r="6.5"/><path fill="#9c2544" d="M140 10l9 10-8 7-9-10Z"/><circle fill="#c85270" cx="38" cy="180" r="6"/><path fill="#5b7fa6" d="M222 4l13-3 2 9-13 3Z"/><path fill="#d9a441" d="M384 108l10 4-4 9-10-4Z"/><circle fill="#9c2544" cx="14" cy="126" r="4.5"/></g>`;

const drawing = (name: string, content: string) =>
  html`<svg class="${name}" viewBox="0 0 400 372" aria-hidden="true" focusable="false">!${content}</svg>`;

/** A drawing of a wrapped gift, hidden from screen readers. */
export const wrappedPresent = html`<div class="present">!${drawing('front', PAPER + SHADOW + BOX + LID)}</div>`;

/** The opened gift with its category's picture. It includes the lid, which flies off right after unwrapping. */
export function openPresent(artwork: string | null): string {
  return html`<div class="present is-open">!${drawing('back', SHADOW + INSIDE + CONFETTI)}!${artworkImage(artwork)}!${drawing('front', PAPER + BOX + LID)}</div>`;
}

/** Confetti over a card that was just claimed, hidden from screen readers; the stylesheet shows it once. */
export const celebration = ({ say }: Words): string =>
  html`<div class="celebration"><svg viewBox="0 0 400 372" aria-hidden="true" focusable="false">!${CONFETTI}</svg><p><strong>${say('card.yours')}</strong></p></div>`;
