import type { Resource } from './api-description.ts';

export const REFERENCE_PATH = '/docs/api';

/** The address of a resource's page. */
export const resourcePath = (name: Resource): string => `${REFERENCE_PATH}/${name.toLowerCase()}`;

/** The address of a page's Markdown. @param name undefined for the overview */
export const resourceMarkdownPath = (name?: Resource): string =>
  `${name === undefined ? REFERENCE_PATH : resourcePath(name)}.md`;
