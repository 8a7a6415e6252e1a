import type { Resource } from '../account.ts';

export const webhookEndpoints: Resource = {
  'GET /v1/webhook_endpoints': (account, { form }) =>
    account.page('/v1/webhook_endpoints', account.all('webhook_endpoint'), form),
};
