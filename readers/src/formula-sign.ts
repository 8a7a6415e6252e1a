/**
 * Spreadsheets run text that begins with one of these as a formula, so our files have an apostrophe before it; before
 * apostrophes too, so that each text comes back as it was. Some spreadsheets start a cell after a semicolon or a tab.
 */
const SIGNS = '=+\\-@\\t\\r\\uff1d\\uff0b\\uff0d\\uff20';
const UNGUARDED = new RegExp(`^(?='*[${SIGNS}])|(?<=[;\\t]\\s*)(?='*[=+\\-@])(?<!')`, 'g');
const GUARDED = new RegExp(`^'(?='*[${SIGNS}])|(?<=[;\\t]\\s*)'(?<!'')(?='*[=+\\-@])`, 'g');

/** Writes a text so that no spreadsheet runs it. */
export const guardFormulas = (text: string): string => text.replace(UNGUARDED, "'");

/** Reads a text as it was before `guardFormulas`. */
export const unguardFormulas = (text: string): string => text.replace(GUARDED, '');

const FIRST_GUARD = new RegExp(`^'(?='*[${SIGNS}])`);

/** The same for the words of a person, in which an apostrophe after a semicolon may be a quotation mark. */
export const unguardWords = (text: string): string => text.replace(FIRST_GUARD, '');
