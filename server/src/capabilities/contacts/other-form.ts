/**
 * Returns the other form in which contacts are found by a text: the digits of a telephone number without the zeros before it,
 * of `+1 (202) 555-0100`, `001 202 …` and `0171 …`; or a domain after its `@`. Null of any other text.
 */
export function otherForm(text: string): string | null {
  if (/^\+?[\d ()./-]+$/.test(text)) return text.replace(/\D/g, '').replace(/^0+/, '');
  return /^[\w-]+\.[\w.-]+$/.test(text) ? `@${text}` : null;
}
