import type { FastifyInstance } from 'fastify';
import { Health, metaRoutes, OpenapiDocument } from './api/meta-routes.ts';
import { createRouter } from './api/operation.ts';
import { v1Document } from './api/v1-document.ts';
import { ApiError, ErrorResponse } from './api/v1-errors.ts';
import { balanceRoutes } from './balances/routes.ts';
import {
  BalanceEntry,
  BalanceEntryList,
  BalanceSummary,
  LedgerLeg,
  LedgerStatement,
  SealedEntry,
} from './balances/schema.ts';
import { brandRoutes } from './brands/routes.ts';
import { issuerHookRoutes } from './cards/issuer-hook-routes.ts';
import { catalogPages } from './catalog/pages.ts';
import { catalogRoutes } from './catalog/routes.ts';
import { Category, CategoryList } from './catalog/schema.ts';
import { createReadiness } from './database/readiness.ts';
import { hookRoutes } from './delivery/hooks/routes.ts';
import type { Deps } from './deps.ts';
import { apiTags } from './docs/api-description.ts';
import { docsRoutes } from './docs/routes.ts';
import { eventRoutes } from './feed/routes.ts';
import { Event, EventData, EventList } from './feed/schema.ts';
import { finderRoutes } from './finder/routes.ts';
import { giftRoutes } from './gifts/routes.ts';
import { sandboxRoutes } from './gifts/sandbox-routes.ts';
import { DeliveryOutcome, DeliveryResult, SandboxResetResult } from './gifts/sandbox-schema.ts';
import * as gifts from './gifts/schema.ts';
import { probeRoutes } from './http/probe-routes.ts';
import { createServer } from './http/server.ts';
import { cardScript } from './issuers/stripe/card-script.ts';
import { recordKeyUse } from './keys/record-key-use.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { createAssistants } from './oauth/assistants.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { Order, OrderInput, OrderList } from './orders/schema.ts';
import { outboxRoutes } from './outbox/routes.ts';
import { sendMissingPage } from './pages/missing.ts';
import { putBelowPath } from './pages/put-below-path.ts';
import { pageRoutes } from './pages/routes.ts';
import { wrappedGiftRoute } from './pages/wrapped-gift.ts';
import { portalAppRoutes } from './portal/app-routes.ts';
import { portalRoutes } from './portal/routes.ts';
import type { SignIn } from './portal/sign-in/sign-in.ts';
import { providerEventRoutes } from './provider-events/routes.ts';
import { copyScript } from './redemption/copy-script.ts';
import { redemptionRoutes } from './redemption/routes.ts';
import { reminderRoutes } from './reminders/routes.ts';
import { recordRequests } from './requests/record-requests.ts';
import { ledgerRoutes } from './seals/routes.ts';
import { LedgerCheckpoint, LedgerProof } from './seals/schema.ts';
import { stripeEvents } from './stripe/event-provider.ts';
import { PushHeaders, WebhookEvent } from './webhooks/push-schema.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import * as webhooks from './webhooks/schema.ts';
import { createSender } from './webhooks/send-push.ts';

/** The schemas that routes refer to by name: the components of the OpenAPI document. */
const schemas = [
  Category,
  CategoryList,
  gifts.EmailDelivery,
  gifts.PhoneDelivery,
  gifts.LinkDelivery,
  gifts.DeliveryInput,
  gifts.PersonalizationInput,
  gifts.GiftInput,
  OrderInput,
  gifts.GiftDelivery,
  gifts.GiftPersonalization,
  gifts.GiftCancellation,
  gifts.Gift,
  gifts.GiftList,
  Order,
  OrderList,
  gifts.RedirectInput,
  BalanceEntry,
  BalanceSummary,
  BalanceEntryList,
  LedgerCheckpoint,
  LedgerProof,
  LedgerLeg,
  SealedEntry,
  LedgerStatement,
  gifts.CancelInput,
  gifts.ScheduleInput,
  DeliveryResult,
  DeliveryOutcome,
  SandboxResetResult,
  webhooks.WebhookEndpointInput,
  webhooks.WebhookEndpointChange,
  webhooks.WebhookEndpoint,
  webhooks.WebhookEndpointWithSecret,
  webhooks.WebhookEndpointList,
  webhooks.DeletedWebhookEndpoint,
  webhooks.RotateInput,
  webhooks.EnableInput,
  webhooks.WebhookAttempt,
  webhooks.WebhookPastAttempt,
  webhooks.WebhookDelivery,
  webhooks.WebhookDeliveryList,
  webhooks.ResendInput,
  webhooks.ResendResult,
  EventData,
  Event,
  EventList,
  Health,
  OpenapiDocument,
  ApiError,
  ErrorResponse,
];

/** Builds the whole service: the HTTP server, then the routes of every capability. Tests use the same function. */
export async function buildApp(deps: Deps, signIn: SignIn): Promise<FastifyInstance> {
  const app = createServer(deps, schemas, sendMissingPage);
  for (const schema of schemas) app.addSchema(schema);
  recordKeyUse(app, deps);
  recordRequests(app, deps);
  putBelowPath(app, deps.publicUrl());
  const { addRoute, operations } = createRouter(app);

  const tags = apiTags(deps.config.sandboxMailDomain);
  const push = { body: WebhookEvent, headers: PushHeaders };
  const describe = () => v1Document(operations, { schemas, push, tags, publicUrl: deps.publicUrl() });

  metaRoutes(addRoute, describe);
  probeRoutes(app, createReadiness(deps.database));
  catalogRoutes(addRoute, deps);
  orderRoutes(addRoute, deps);
  giftRoutes(addRoute, deps);
  balanceRoutes(addRoute, deps);
  ledgerRoutes(app, addRoute, deps);
  sandboxRoutes(addRoute, deps);
  const sender = createSender(deps, { allowedNetworks: deps.config.webhookAllowedNetworks });
  app.addHook('onClose', async () => sender.close());
  webhookRoutes(addRoute, deps, sender);
  eventRoutes(app, addRoute, deps);

  await hookRoutes(app, deps);
  const { stripe, config, clock } = deps;
  // Cards of issuers, top-ups and found gifts are live.
  if (config.serveEnvironments.includes('live')) {
    issuerHookRoutes(app, deps);
    providerEventRoutes(app, deps, stripe && config.stripe ? [stripeEvents(stripe, config.stripe, clock)] : []);
    finderRoutes(app, deps);
  }
  outboxRoutes(app, deps);
  redemptionRoutes(app, deps);
  cardScript.register(app);
  copyScript.register(app);
  wrappedGiftRoute(app);
  brandRoutes(app, deps);
  reminderRoutes(app, deps);
  catalogPages(app, deps);
  const library = docsRoutes(app, deps, describe);
  mcpRoutes(app, deps, { operations, schemas, library });
  const assistants = createAssistants(deps);
  oauthRoutes(app, deps, assistants);
  await portalRoutes(app, { ...deps, signIn, assistants });
  portalAppRoutes(app, deps);
  pageRoutes(app, deps);
  return app;
}
