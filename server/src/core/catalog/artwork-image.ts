import { html } from 'ghtml';

// A wrapped gift, for categories without artwork.
const PLACEHOLDER = html`<svg class="artwork" viewBox="0 0 1200 756" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><path fill="#e9c9b8" d="M0 0H1200V756H0Z"/><path fill="#e2bba8" d="M0 0H430V756H0Z"/><path fill="#f1d9cb" d="M560 0H1200V300H560Z"/><path fill="#9c2544" d="M430 0H560V756H430Z"/><path fill="#b23a58" d="M430 0H474V756H430Z"/><path fill="#9c2544" d="M0 300H1200V430H0Z"/><path fill="#b23a58" d="M0 300H1200V344H0Z"/><path fill="#b23a58" d="M495 372C430 190 210 150 200 272 190 392 400 400 495 372 590 400 800 392 790 272 780 150 560 190 495 372Z"/><path fill="#7a1934" d="M455 340C400 250 290 218 274 280 268 338 380 352 455 340ZM535 340C590 250 700 218 716 280 722 338 610 352 535 340Z"/><path fill="#9c2544" d="M480 380L350 610 424 596 462 660 520 400ZM510 380L640 610 566 596 528 660 470 400Z"/><path fill="#c85270" d="M440 320H550C560 352 560 388 550 420H440C430 388 430 352 440 320Z"/></svg>`;

/** Returns a category's artwork as HTML. It is decorative: the name is beside it, so `alt` is empty. */
export function artworkImage(artwork: string | null): string {
  return artwork === null
    ? PLACEHOLDER
    : html`<img class="artwork" src="${artwork}" width="1200" height="756" alt="" referrerpolicy="no-referrer">`;
}
