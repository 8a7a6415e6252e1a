import type { components } from '../../api/schema.d.ts';

export type Category = components['schemas']['CatalogCategory'];
