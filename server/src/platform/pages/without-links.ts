/** Removes the targets of links and keeps their looks. */
export const withoutLinks = (html: string) => html.replaceAll(/(<a\b[^>]*?) href="[^"]*"/g, '$1');
