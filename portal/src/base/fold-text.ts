/** A text without case and accents, for both sides of a search in the browser: `munchen` finds `München`. */
export const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
