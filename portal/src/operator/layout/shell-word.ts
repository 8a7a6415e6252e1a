/** An argument of a command as a shell reads it: in quotation marks if it needs them. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
