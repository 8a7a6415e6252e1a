import { PREVIEWS_KEPT_DAYS } from '../../capabilities/previews/forget-previews.ts';
import { REQUESTS_KEPT_DAYS } from '../../capabilities/request-log/prune-requests.ts';
import { DELIVERIES_KEPT_DAYS } from '../../capabilities/webhooks/warn-of-failures.ts';
import { SPENDING_KEPT_DAYS } from '../../core/caps/forget-old-spending.ts';
import { ISSUER_EVENTS_KEPT_DAYS } from '../../core/cards/record-issuer-event.ts';
import type { Config } from '../../platform/configuration/config.ts';
import { ANSWERS_KEPT_DAYS } from '../../platform/idempotency/forget-old-requests.ts';

/** pg-boss's default for finished jobs. */
const JOBS_KEPT_DAYS = 7;

/** Tables whose rows are deleted after so many days, by their name or schema. */
export const keptDays = ({ eventsKeptDays }: Pick<Config, 'eventsKeptDays'>): Readonly<Record<string, number>> => ({
  events: eventsKeptDays,
  idempotent_requests: ANSWERS_KEPT_DAYS,
  issuer_events: ISSUER_EVENTS_KEPT_DAYS,
  pgboss: JOBS_KEPT_DAYS,
  previewed_orders: PREVIEWS_KEPT_DAYS,
  request_log: REQUESTS_KEPT_DAYS,
  spending: SPENDING_KEPT_DAYS,
  steered_tries: 1,
  webhook_attempts: DELIVERIES_KEPT_DAYS,
  webhook_deliveries: DELIVERIES_KEPT_DAYS,
});

/** Tables whose rows are kept and that grow with each order. */
export const growing = [
  'audit_events',
  'batch_rows',
  'batches',
  'card_facts',
  'card_proofs',
  'card_purchases',
  'cards',
  'deliveries',
  'gift_requests',
  'gifts',
  'ledger_entries',
  'ledger_legs',
  'metadata_pairs',
  'notices',
  'orders',
  'seal_nodes',
  'seals',
  'unsubscribed',
  'yearly_gifts',
];

/** Tables that grow with customers, people and settings, not with orders. */
export const steady = [
  'agent_grants',
  'api_keys',
  'approvals',
  'automatic_topups',
  'balance_alerts',
  'balances',
  'brands',
  'categories',
  'client_packages',
  'clock_work',
  'contact_words',
  'contacts',
  'earlier_keys',
  'event_counters',
  'gift_templates',
  'gift_views',
  'custom_roles',
  'teams',
  'approval_rule_changes',
  'approval_rules',
  'gift_request_approvals',
  'installation',
  'issuer_pictures',
  'issuers',
  'lost_histories',
  'members',
  'organizations',
  'portal',
  'process_clocks',
  'reminder_progress',
  'restores',
  'retention_progress',
  'sandboxes',
  'schema_migrations',
  'sender_domains',
  'shop_codes',
  'spending_caps',
  'topup_costs',
  'topup_customers',
  'topup_reversals',
  'topups',
  'tremendous_products',
  'unsealed_events',
  'webhook_endpoints',
  'yearly_rules',
];
