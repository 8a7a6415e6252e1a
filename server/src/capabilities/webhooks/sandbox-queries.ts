import { statement } from '../../platform/database/statement.ts';

/** Webhook endpoints stay, and continue with the next event. */
export const restartEndpoints = statement<[organizationId: string]>(
  'sandbox.restart_endpoints',
  `with deliveries as (
     delete from webhook_deliveries where organization_id = $1 and environment = 'sandbox'
   ), attempts as (
     delete from webhook_attempts where organization_id = $1 and environment = 'sandbox'
   )
   update webhook_endpoints set last_matched = null, lease_id = null, leased_until = null,
     cursor_sequence = coalesce((
       select last_sequence from event_counters where organization_id = $1 and environment = 'sandbox'
     ), 0)
   where organization_id = $1 and environment = 'sandbox'`,
);
