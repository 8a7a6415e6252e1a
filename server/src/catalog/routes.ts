import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { operation } from '../api/openapi.ts';
import type { Deps } from '../deps.ts';
import { type CategoryRow, selectCategories } from './queries.ts';
import type { CategoryBody } from './schema.ts';

const categoryExample: CategoryBody = {
  id: 'coffee',
  name: 'Coffee',
  description: 'For the colleague whose day begins with a good cup.',
  artwork: 'http://localhost:3000/artwork/coffee.svg',
  product_details_url: 'http://localhost:3000/catalog/coffee',
};

export function catalogRoutes(app: FastifyInstance, deps: Deps): void {
  app.get(
    '/v1/categories',
    operation({
      operationId: 'listCategories',
      tag: 'Catalog',
      summary: 'List categories',
      description: 'Everything that can be given, in one answer.',
      access: 'key',
      success: [
        {
          status: 200,
          description: 'The catalog.',
          schema: Type.Ref('CategoryList'),
          example: { object: 'list', data: [categoryExample], has_more: false },
        },
      ],
    }),
    async () => {
      const categories = await selectCategories(deps.database.read, []);
      const data = categories
        .filter(({ retired_at }) => retired_at === null)
        .map((category) => presentCategory(deps.publicUrl(), category));
      return { object: 'list', data, has_more: false };
    },
  );
}

function presentCategory(publicUrl: string, category: CategoryRow): CategoryBody {
  const { category_id, name, description, artwork, product_details_url } = category;
  return {
    id: category_id,
    name,
    description,
    // Built-in artwork is stored as a path, so that it follows the service's URL.
    artwork: artwork?.startsWith('/') ? publicUrl + artwork : artwork,
    product_details_url: product_details_url ?? `${publicUrl}/catalog/${category_id}`,
  };
}
