import type { FastifyInstance } from 'fastify';
import { contactRoutes } from '../../capabilities/contacts/routes.ts';
import { apiTags } from '../../capabilities/docs/api-description.ts';
import { clientRoutes } from '../../capabilities/docs/client-routes.ts';
import { docsRoutes } from '../../capabilities/docs/routes.ts';
import { resetRoute } from '../../capabilities/erasure/routes.ts';
import { eventRoutes } from '../../capabilities/feed/routes.ts';
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
import { statementRoute } from '../../capabilities/statements/routes.ts';
import { stripeEvents } from '../../capabilities/stripe/event-provider.ts';
import { PushHeaders, WebhookEvent } from '../../capabilities/webhooks/push-schema.ts';
import { webhookRoutes } from '../../capabilities/webhooks/routes.ts';
import { createSender } from '../../capabilities/webhooks/send-push.ts';
import { balanceRoutes } from '../../core/balances/routes.ts';
import { issuerHookRoutes } from '../../core/cards/issuer-hook-routes.ts';
import { catalogPages } from '../../core/catalog/pages.ts';
import { catalogRoutes } from '../../core/catalog/routes.ts';
import { hookRoutes } from '../../core/delivery/hooks/routes.ts';
import { brandRoutes } from '../../core/face/routes.ts';
import { giftRoutes } from '../../core/gifts/routes/routes.ts';
import { sandboxRoutes } from '../../core/gifts/sandbox/sandbox-routes.ts';
import { recordKeyUse } from '../../core/keys/record-key-use.ts';
import { orderRoutes } from '../../core/orders/routes.ts';
import type { SignIn } from '../../faces/portal-access/session.ts';
import { copyScript } from '../../faces/redemption/copy-script.ts';
import { redemptionRoutes } from '../../faces/redemption/routes.ts';
import { metaRoutes } from '../../platform/api/meta-routes.ts';
import { createRouter } from '../../platform/api/operation.ts';
import { v1Document } from '../../platform/api/v1-document.ts';
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

/** Builds the whole service: the HTTP server, then the routes of every capability. Tests use the same function. */
export async function buildApp(deps: AllDeps, signIn: SignIn): Promise<FastifyInstance> {
  const app = createServer(deps, sendMissingPage);
  recordKeyUse(app, deps);
  recordRequests(app, deps);
  putBelowPath(app, deps.publicUrl());
  ownPort(app, deps.config.operatorPage);
  const { addRoute, operations } = createRouter(app, deps.config);

  const tags = apiTags(deps.config.sandboxMailDomain);
  const push = { body: WebhookEvent, headers: PushHeaders };
  const describe = () => v1Document(operations, { push, tags, publicUrl: deps.publicUrl() });

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
  mcpRoutes(app, deps, { operations, library });
  const assistants = createAssistants(deps);
  oauthRoutes(app, deps, assistants);
  await portalRoutes(app, { ...deps, signIn, assistants });
  appRoutes(app, deps, apps.portal);
  await operatorRoutes(app, { ...deps, signIn });
  pageRoutes(app, deps);
  return app;
}
