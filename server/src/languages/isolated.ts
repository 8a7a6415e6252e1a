import { html } from 'ghtml';
import { withoutTurns } from '../base/without-turns.ts';

/** A name or address of a person in a page: it never turns or moves the text around it. */
export const isolated = (text: string) => html`<bdi>${withoutTurns(text)}</bdi>`;

/** An address, which breaks anywhere. */
export const isolatedAddress = (text: string) => html`<bdi class="address">${withoutTurns(text)}</bdi>`;
