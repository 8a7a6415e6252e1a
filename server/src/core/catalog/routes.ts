import type { AddRoute } from '../../platform/api/operation.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf, parametersOf, requireAdmitted } from '../../platform/authentication/caller.ts';
import type { Deps } from '../deps.ts';
import { type CategoryRow, selectSoldCategories } from './queries.ts';
import { type CategoryBody, CategoryList } from './schema.ts';

const categoryExample: CategoryBody = {
  id: 'coffee',
  name: 'Coffee',
  description: 'For the colleague whose day begins with a good cup.',
  artwork: 'http://localhost:3000/artwork/coffee.svg',
  product_details_url: 'http://localhost:3000/catalog/coffee',
};

export function catalogRoutes(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/categories',
      operationId: 'listCategories',
      tag: 'Catalog',
      summary: 'List categories',
      description: 'Everything that can be given, in one answer.',
      access: 'key',
      response: refTo(CategoryList),
      answers: {
        200: { description: 'The catalog.', example: { object: 'list', data: [categoryExample], has_more: false } },
      },
    },
    async ({ request }) => {
      const caller = callerOf(request);
      const rows = await selectSoldCategories(deps.database.read, parametersOf(caller));
      requireAdmitted(caller, rows[0]);
      const data = rows
        .filter((row) => row.category_id !== null)
        .map((category) => presentCategory(deps.publicUrl(), category));
      return { object: 'list' as const, data, has_more: false };
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
