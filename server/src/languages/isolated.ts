import { withoutTurns } from 'bestow-readers/direction.ts';
import { html } from 'ghtml';

/** A name or address of a person in a page: it never turns or moves the text around it. */
export const isolated = (text: string) => html`<bdi>${withoutTurns(text)}</bdi>`;

/** An address, which breaks anywhere. */
export const isolatedAddress = (text: string) => html`<bdi class="address">${withoutTurns(text)}</bdi>`;
