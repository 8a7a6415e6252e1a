import type { FastifyInstance } from 'fastify';
import { contactRoutes } from '../../capabilities/contacts/routes.ts';
import * as contacts from '../../capabilities/contacts/schema.ts';
import { apiTags } from '../../capabilities/docs/api-description.ts';
import { clientRoutes } from '../../capabilities/docs/client-routes.ts';
import { docsRoutes } from '../../capabilities/docs/routes.ts';
import { resetRoute } from '../../capabilities/erasure/routes.ts';
import { eventRoutes } from '../../capabilities/feed/routes.ts';
import { Event, EventData, EventList } from '../../capabilities/feed/schema.ts';
import { finderRoutes } from '../../capabilities/finder/routes.ts';
import { pictureRoutes } from '../../capabilities/issuers/picture-routes.ts';
import { cardScript } from '../../capabilities/issuers/stripe/card-script.ts';
import { mcpRoutes } from '../../capabilities/mcp/routes.ts';
import { createAssistants } from '../../capabilities/oauth/assistants.ts';
import { oauthRoutes } from '../../capabilities/oauth/routes.ts';
import { outboxRoutes } from '../../capabilities/outbox/routes.ts';
import { providerEventRoutes } from '../../capabilities/provider-events/routes.ts';
import { reminderRoutes } from '../../capabilities/reminders/routes.ts';
import { recordRequests } from '../../capabilities/request-log/record-requests.ts';
import { ledgerRoutes } from '../../capabilities/seals/routes.ts';
import { LedgerCheckpoint, LedgerProof } from '../../capabilities/seals/schema.ts';
import { statementRoute } from '../../capabilities/statements/routes.ts';
import { stripeEvents } from '../../capabilities/stripe/event-provider.ts';
import { PushHeaders, WebhookEvent } from '../../capabilities/webhooks/push-schema.ts';
import { webhookRoutes } from '../../capabilities/webhooks/routes.ts';
import * as webhooks from '../../capabilities/webhooks/schema.ts';
import { createSender } from '../../capabilities/webhooks/send-push.ts';
import { balanceRoutes } from '../../core/balances/routes.ts';
import {
  BalanceEntry,
  BalanceEntryList,
  BalanceSummary,
  LedgerLeg,
  LedgerStatement,
  SealedEntry,
} from '../../core/balances/schema.ts';
import { issuerHookRoutes } from '../../core/cards/issuer-hook-routes.ts';
import { catalogPages } from '../../core/catalog/pages.ts';
import { catalogRoutes } from '../../core/catalog/routes.ts';
import { Category, CategoryList } from '../../core/catalog/schema.ts';
import { hookRoutes } from '../../core/delivery/hooks/routes.ts';
import { brandRoutes } from '../../core/face/routes.ts';
import { expansionSchemas } from '../../core/gifts/gift/expansion-schema.ts';
import * as gifts from '../../core/gifts/gift/schema.ts';
import { giftRoutes } from '../../core/gifts/routes/routes.ts';
import { sandboxRoutes } from '../../core/gifts/sandbox/sandbox-routes.ts';
import { DeliveryOutcome, DeliveryResult, SandboxResetResult } from '../../core/gifts/sandbox/sandbox-schema.ts';
import { recordKeyUse } from '../../core/keys/record-key-use.ts';
import { orderRoutes } from '../../core/orders/routes.ts';
import { Order, OrderInput, OrderList, orderHistorySchemas } from '../../core/orders/schema.ts';
import type { SignIn } from '../../faces/portal-access/session.ts';
import { copyScript } from '../../faces/redemption/copy-script.ts';
import { redemptionRoutes } from '../../faces/redemption/routes.ts';
import { Health, metaRoutes, OpenapiDocument } from '../../platform/api/meta-routes.ts';
import { createRouter } from '../../platform/api/operation.ts';
import { v1Document } from '../../platform/api/v1-document.ts';
import { ApiError, ErrorResponse } from '../../platform/api/v1-errors.ts';
import { createReadiness } from '../../platform/database/readiness.ts';
import { probeRoutes } from '../../platform/http/probe-routes.ts';
import { createServer } from '../../platform/http/server.ts';
import { sendMissingPage } from '../../platform/pages/missing.ts';
import { putBelowPath } from '../../platform/pages/put-below-path.ts';
import { pageRoutes } from '../../platform/pages/routes.ts';
import { wrappedGiftRoute } from '../../platform/pages/wrapped-gift.ts';
import type { AllDeps } from '../deps.ts';
import { ownPort } from '../operator/own-port.ts';
import { operatorRoutes } from '../operator/routes.ts';
import { appRoutes, apps } from '../portal/app-routes.ts';
import { portalRoutes } from '../portal/routes.ts';

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
  ...expansionSchemas,
  gifts.Gift,
  gifts.GiftList,
  ...orderHistorySchemas,
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
  contacts.ContactDeliveryInput,
  contacts.ContactInput,
  contacts.ContactDelivery,
  contacts.Contact,
  contacts.ContactList,
  contacts.DeletedContact,
  EventData,
  Event,
  EventList,
  Health,
  OpenapiDocument,
  ApiError,
  ErrorResponse,
];

/** Builds the whole service: the HTTP server, then the routes of every capability. Tests use the same function. */
export async function buildApp(deps: AllDeps, signIn: SignIn): Promise<FastifyInstance> {
  const app = createServer(deps, schemas, sendMissingPage);
  for (const schema of schemas) app.addSchema(schema);
  recordKeyUse(app, deps);
  recordRequests(app, deps);
  putBelowPath(app, deps.publicUrl());
  ownPort(app, deps.config.operatorPage);
  const { addRoute, operations } = createRouter(app, deps.config);

  const tags = apiTags(deps.config.sandboxMailDomain);
  const push = { body: WebhookEvent, headers: PushHeaders };
  const describe = () => v1Document(operations, { schemas, push, tags, publicUrl: deps.publicUrl() });

  metaRoutes(addRoute, describe);
  probeRoutes(app, createReadiness(deps.database, deps.clockWatch.isRight));
  catalogRoutes(addRoute, deps);
  orderRoutes(addRoute, deps);
  giftRoutes(addRoute, deps);
  contactRoutes(addRoute, deps);
  balanceRoutes(addRoute, deps);
  statementRoute(addRoute, deps);
  ledgerRoutes(app, addRoute, deps);
  sandboxRoutes(addRoute, deps);
  resetRoute(addRoute, deps);
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
  pictureRoutes(app, deps);
  reminderRoutes(app, deps);
  catalogPages(app, deps);
  clientRoutes(app, deps);
  const library = docsRoutes(app, deps, describe);
  mcpRoutes(app, deps, { operations, schemas, library });
  const assistants = createAssistants(deps);
  oauthRoutes(app, deps, assistants);
  await portalRoutes(app, { ...deps, signIn, assistants });
  appRoutes(app, deps, apps.portal);
  await operatorRoutes(app, { ...deps, signIn });
  pageRoutes(app, deps);
  return app;
}
