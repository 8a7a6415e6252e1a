/**
 * Returns the digits of a telephone number, without the zeros before it, as contacts are found by it: of `+1 (202) 555-0100`,
 * `001 202 …` and `0171 …`. Null of any other text.
 */
export const numberIn = (text: string): string | null =>
  /^\+?[\d ()./-]+$/.test(text) ? text.replace(/\D/g, '').replace(/^0+/, '') : null;
