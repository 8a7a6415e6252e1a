import { Type } from 'typebox';
import { addCategory } from '../../core/catalog/add-category.ts';
import { listCategories } from '../../core/catalog/list-categories.ts';
import { updateCategory } from '../../core/catalog/update-category.ts';
import { Category, Reason } from '../../faces/operator-acts/schemas.ts';
import { Name, nullable } from '../../platform/api/schema.ts';
import { addBuiltInAct, retireAct } from '../commands/catalog.ts';
import type { AllDeps } from '../deps.ts';
import { actRoutes } from './act-routes.ts';
import type { OperatorRegister } from './register.ts';

/** A picture or a page: https, or a path of this service. */
const Address = Type.String({
  maxLength: 2_000,
  pattern: '^(?:https://\\S+|/[^/\\\\\\s]\\S*)$',
  'x-rule': 'must begin with https://, or with / for a path of this service',
});
const Description = Type.String({ minLength: 1, maxLength: 1_000, pattern: '\\S' });
const Position = Type.Integer({ minimum: 0, maximum: 999_999 });
const PATH = '/catalog';
const ONE = `${PATH}/{category_id}` as const;

/** The catalog of all organizations, as `bestow catalog` changes it. */
export function catalogRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listCatalog',
      tag: 'Catalog',
      summary: 'All categories, also retired ones.',
      response: Type.Object({ data: Type.Array(Category) }),
    },
    async () => ({ data: await listCategories(deps) }),
  );

  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'addCategory',
      tag: 'Catalog',
      summary: 'Adds a category.',
      body: Type.Object({
        category_id: Type.String({
          pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
          'x-rule': 'must be 1 to 63 lowercase letters, digits and dashes, and not start with a dash',
        }),
        name: Name,
        description: Description,
        artwork: nullable(Address),
        reason: Reason,
      }),
      response: Category,
    },
    ({ body: { category_id: id, name, description, artwork } }) =>
      addCategory(deps, { id, name, description, artwork: artwork ?? undefined }),
  );

  actRoutes(register, deps, { addBuiltInAct });
  addChanges(register, deps);
}

function addChanges(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'PATCH',
      path: ONE,
      operationId: 'updateCategory',
      tag: 'Catalog',
      summary: 'Changes a category. Fields left out keep their values.',
      body: Type.Object({
        name: Type.Optional(Name),
        description: Type.Optional(Description),
        artwork: Type.Optional(nullable(Address)),
        product_details_url: Type.Optional(nullable(Address)),
        position: Type.Optional(Position),
        is_reinstated: Type.Optional(Type.Boolean({ description: 'Sells a retired category again.' })),
        reason: Reason,
      }),
      response: Category,
    },
    ({ params, body: { product_details_url: productDetailsUrl, is_reinstated: isReinstated, ...change } }) =>
      updateCategory(deps, params.category_id, { ...change, productDetailsUrl, isReinstated }),
  );
  actRoutes(register, deps, { retireAct });
}
