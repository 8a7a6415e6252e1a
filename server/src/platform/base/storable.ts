/** Returns a text that PostgreSQL stores as text and in JSON: NUL and half a character become `�`. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** Whether it can be the id or the type of a provider's event: at most 255 printable characters of ASCII. */
export const isEventText = (text: unknown): text is string => typeof text === 'string' && /^[!-~]{1,255}$/.test(text);
