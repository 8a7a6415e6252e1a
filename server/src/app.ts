import type { FastifyInstance } from 'fastify';
import { Health, metaRoutes } from './api/meta-routes.ts';
import { createRouter } from './api/operation.ts';
import { ErrorResponse, v1Document } from './api/v1-document.ts';
import { catalogPages } from './catalog/pages.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { Category, CategoryList } from './catalog/schema.ts';
import { createReadiness } from './database/readiness.ts';
import { hookRoutes } from './delivery/hooks/routes.ts';
import type { Deps } from './deps.ts';
import { apiDescription } from './docs/api-description.ts';
import { docsRoutes } from './docs/routes.ts';
import { giftRoutes } from './gifts/routes.ts';
import { sandboxRoutes } from './gifts/sandbox-routes.ts';
import { NewDeliveryOutcome, SandboxResetResult } from './gifts/sandbox-schema.ts';
import * as gifts from './gifts/schema.ts';
import { probeRoutes } from './http/probe-routes.ts';
import { createServer } from './http/server.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { orderRoutes } from './orders/routes.ts';
import { NewOrder, Order, OrderList } from './orders/schema.ts';
import { outboxRoutes } from './outbox/routes.ts';
import { putBelowPath } from './pages/put-below-path.ts';
import { pageRoutes } from './pages/routes.ts';
import { portalAppRoutes } from './portal/app-routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { redemptionRoutes } from './redemption/routes.ts';
import { recordRequests } from './requests/record-requests.ts';

/** The schemas that routes refer to by name: the components of the OpenAPI document. */
const schemas = [
  Category,
  CategoryList,
  gifts.EmailDelivery,
  gifts.PhoneDelivery,
  gifts.LinkDelivery,
  gifts.NewDelivery,
  gifts.NewPersonalization,
  gifts.NewGift,
  NewOrder,
  gifts.GiftDelivery,
  gifts.GiftPersonalization,
  gifts.Gift,
  gifts.GiftList,
  Order,
  OrderList,
  gifts.Redirect,
  NewDeliveryOutcome,
  SandboxResetResult,
  Health,
  ErrorResponse,
];

/** Builds the whole service: the HTTP server, then the routes of every capability. Tests use the same function. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = createServer(deps, createKeyRing(deps), schemas);
  for (const schema of schemas) app.addSchema(schema);
  recordRequests(app, deps);
  putBelowPath(app, deps.publicUrl());
  const description = apiDescription(deps.config.sandboxMailDomain);
  const path = new URL(deps.publicUrl()).pathname;
  const { addRoute, operations } = createRouter(app);

  metaRoutes(addRoute, () => v1Document(operations, { schemas, description, path }));
  probeRoutes(app, createReadiness(deps.database));
  catalogRoutes(addRoute, deps);
  orderRoutes(addRoute, deps);
  giftRoutes(addRoute, deps);
  sandboxRoutes(addRoute, deps);

  await hookRoutes(app, deps);
  outboxRoutes(app, deps);
  redemptionRoutes(app, deps);
  catalogPages(app, deps);
  docsRoutes(app, deps);
  await portalRoutes(app, deps);
  portalAppRoutes(app);
  pageRoutes(app, deps);
  return app;
}
