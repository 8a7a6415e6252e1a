/** A look that the reader’s device would choose. */
type Scheme = 'light' | 'dark';

export const readScheme = (value: unknown): Scheme | undefined =>
  value === 'light' || value === 'dark' ? value : undefined;

const ALWAYS = '(min-width:0)';
const NEVER = '(max-width:0)';

/** Makes a stylesheet or a mail look as on a device with this scheme, for previews: browsers do not pass a frame’s scheme on. */
export const inScheme = (text: string, scheme: Scheme): string =>
  text
    .replaceAll(/\(prefers-color-scheme: ?dark\)/g, scheme === 'dark' ? ALWAYS : NEVER)
    .replaceAll(/color-scheme: ?light dark/g, `color-scheme:${scheme}`);

/** Makes a page load its stylesheets in this scheme. */
export const pageInScheme = (document: string, scheme: Scheme): string =>
  document.replaceAll(/(<link rel="stylesheet" href="[^"]+)"/g, `$1?scheme=${scheme}"`);
