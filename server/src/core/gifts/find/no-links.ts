import type { Links } from '../../links/links.ts';

/** For lists without links, such as files: signs none. */
export const noLinks: Links = { url: () => '', read: () => undefined };
