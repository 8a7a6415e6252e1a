import type { Resource } from './api-description.ts';

export const REFERENCE_PATH = '/docs/api';

/** The address of a resource's page. */
export const resourcePath = (name: Resource): string => `${REFERENCE_PATH}/${name.toLowerCase()}`;
