import type { FastifyInstance } from 'fastify';
import { contactFileRoutes } from '../../capabilities/contacts/file-routes.ts';
import { contactLookupRoutes } from '../../capabilities/contacts/lookup-routes.ts';
import { contactRoutes } from '../../capabilities/contacts/portal-routes.ts';
import { eventRoutes } from '../../capabilities/feed/portal-routes.ts';
import { batchRoutes } from '../../capabilities/gift-batches/portal-routes.ts';
import { giftRequestRoutes } from '../../capabilities/gift-requests/portal-routes.ts';
import { templateRoutes } from '../../capabilities/gift-templates/portal-routes.ts';
import { viewRoutes } from '../../capabilities/gift-views/portal-routes.ts';
import { issuerRoutes } from '../../capabilities/issuers/portal-routes.ts';
import type { AssistantDeps } from '../../capabilities/oauth/assistants.ts';
import { connectionRoutes } from '../../capabilities/oauth/portal-routes.ts';
import { requestRoutes } from '../../capabilities/request-log/portal-routes.ts';
import { statementRoutes } from '../../capabilities/statements/portal-routes.ts';
import { isUnavailable } from '../../capabilities/stripe/is-unavailable.ts';
import { topupRoutes } from '../../capabilities/topups/portal-routes.ts';
import { webhookRoutes } from '../../capabilities/webhooks/portal-routes.ts';
import { yearlyGiftRoutes } from '../../capabilities/yearly-gifts/portal-routes.ts';
import { createRegister } from '../../faces/portal-access/register.ts';
import { createRouter, type Operation } from '../../platform/api/operation.ts';
import type { AllDeps } from '../deps.ts';
import { approvalRoutes } from './approval-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { balanceRoutes } from './balance-routes.ts';
import { brandRoutes } from './brand-routes.ts';
import { cancelRoutes } from './cancel-routes.ts';
import { capRoutes } from './cap-routes.ts';
import { giftListRoutes } from './gift-list-routes.ts';
import { giftRoutes } from './gift-routes.ts';
import { grantRoutes } from './grant-routes.ts';
import { holdRoutes } from './hold-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { limitRoutes } from './limit-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { orderRoutes } from './order-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { inPortalTerms } from './portal-terms.ts';
import { programRoutes } from './program-routes.ts';
import { reconcileRoutes } from './reconcile-routes.ts';
import { roleRoutes } from './role-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { sendRoutes } from './send-routes.ts';
import { senderDomainRoutes } from './sender-domain-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { teamRoutes } from './team-routes.ts';
import { testingRoutes } from './testing-routes.ts';

/** All operations of the portal's app, below `/portal/api`. */
export async function portalRoutes(app: FastifyInstance, deps: AllDeps & AssistantDeps): Promise<void> {
  let added: readonly Operation[] = [];
  app.addHook('onClose', () => deps.signIn.close());
  await app.register(
    (portal, _options, done) => {
      portal.decorateRequest('portal');
      // The app's own handler answers.
      portal.setErrorHandler((error, { requestId }) => {
        if (isUnavailable(error)) deps.log.warn({ err: error, request_id: requestId }, 'Stripe did not answer.');
        throw inPortalTerms(error);
      });

      signInRoutes(portal, deps);
      const { addRoute, operations } = createRouter(portal);
      const register = createRegister(addRoute, deps);
      sessionRoutes(register, deps);
      overviewRoutes(register, deps);
      balanceRoutes(register, deps);
      approvalRoutes(register, deps);
      capRoutes(register, deps);
      statementRoutes(register, deps);
      reconcileRoutes(register, deps);
      keyRoutes(register, deps);
      grantRoutes(register, deps);
      connectionRoutes(register, deps);
      webhookRoutes(register, deps);
      eventRoutes(register, deps);
      giftListRoutes(register, deps);
      viewRoutes(register, deps);
      contactRoutes(register, deps);
      contactFileRoutes(register, deps);
      contactLookupRoutes(register, deps);
      templateRoutes(register, deps);
      yearlyGiftRoutes(register, deps);
      giftRoutes(register, deps);
      holdRoutes(register, deps);
      cancelRoutes(register, deps);
      programRoutes(register, deps);
      brandRoutes(register, deps);
      senderDomainRoutes(register, deps);
      issuerRoutes(register, deps);
      messageRoutes(register, deps);
      sandboxRoutes(register, deps);
      orderRoutes(register, deps);
      sendRoutes(register, deps);
      batchRoutes(register, deps);
      giftRequestRoutes(register, deps);
      requestRoutes(register, deps);
      testingRoutes(register, deps);
      topupRoutes(register, deps);
      memberRoutes(register, deps);
      roleRoutes(register, deps);
      teamRoutes(register, deps);
      limitRoutes(register, deps);
      auditRoutes(register, deps);
      added = operations;
      done();
    },
    { prefix: '/portal/api' },
  );
  app.decorate('portalRoutes', added);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For the portal's document, and for tests of all operations. */
    portalRoutes: readonly Operation[];
  }
}
