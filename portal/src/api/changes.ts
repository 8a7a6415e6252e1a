import type { QueryWord } from './query-words.ts';
import type { paths } from './schema.d.ts';

/** `everything` means all queries except the person’s. */
type Changed = readonly (QueryWord | 'everything')[];

type Method = 'post' | 'put' | 'patch' | 'delete';

type Short<Path extends string> = Path extends `/portal/api/organizations/{organization_id}${infer Rest}`
  ? Rest
  : Path extends `/portal/api${infer Rest}`
    ? Rest
    : Path;

/** Such as `POST /{environment}/orders`: every operation of the portal's document except those with GET. */
type Operation = {
  [Path in keyof paths]: {
    [Name in Method]: paths[Path][Name] extends object ? `${Uppercase<Name>} ${Short<Path>}` : never;
  }[Method];
}[keyof paths];

const NOTHING: Changed = [];
/** What a person may do, and so what every page shows. */
const ALL: Changed = ['me', 'everything'];
const ME: Changed = ['me'];
const BALANCE: Changed = ['balance', 'overview'];
const KEYS: Changed = ['keys', 'spending-caps', 'overview'];
const GIFT: Changed = ['gift', 'gift-message', 'gifts', 'orders', 'batches', 'overview'];
const PAID: Changed = [...GIFT, 'balance', 'limits', 'spending-caps'];
const REQUESTS: Changed = ['gift-requests', 'overview'];
const DECIDED: Changed = [...PAID, 'gift-requests', 'calendar', 'contacts'];
const SENDER: Changed = ['sender-domain'];
const MEMBERS: Changed = ['me', 'members', 'roles', 'teams', 'limits', 'approval-rules', 'gift-requests'];
const TEAMS: Changed = ['teams', 'members', 'limits'];

/** What each operation changes of what pages show. Every change is also in the audit log. */
const changes = {
  'PUT /me/name': ['me', 'members'],
  'POST /invitations/{organization_id}/accept': ME,
  'POST /invitations/{organization_id}/decline': ME,
  'DELETE /sessions/{session_id}': ['sessions'],

  'PUT /name': ME,
  'PUT /second-factor-policy': ALL,
  'PUT /gift-request-policy': ALL,
  'PUT /approval-rules': ['approval-rules', 'gift-requests'],
  'PUT /program': ['me', 'program'],
  'PUT /brand': ['brand', 'gift-preview'],
  'PUT /brand/logo': ['brand', 'gift-preview'],
  'POST /brand/preview': NOTHING,
  'PUT /brand/sender-domain': SENDER,
  'DELETE /brand/sender-domain': SENDER,
  'POST /brand/sender-domain/check': SENDER,
  'POST /issuers/{issuer_id}/codes': ['issuers', 'overview'],
  'POST /sandbox': ME,
  'DELETE /sandbox': ME,
  'POST /sandbox/reset': ['everything'],

  'POST /members': ['members', 'roles'],
  'PUT /members/{member_id}/role': MEMBERS,
  'PUT /members/{member_id}/team': MEMBERS,
  'POST /members/{member_id}/deactivate': MEMBERS,
  'POST /members/{member_id}/activate': MEMBERS,
  'POST /members/{member_id}/billing-contact': MEMBERS,
  'POST /roles': ['roles'],
  'PUT /roles/{role_id}': MEMBERS,
  'DELETE /roles/{role_id}': ['roles'],
  'POST /teams': TEAMS,
  'PUT /teams/{team_id}': TEAMS,
  'DELETE /teams/{team_id}': TEAMS,
  'PUT /{environment}/limits': ['limits'],

  'PUT /{environment}/balance/alert': BALANCE,
  'POST /sandbox/balance/test-funds': BALANCE,
  'POST /{environment}/balance/reconciliations': NOTHING,
  'POST /approvals/{approval_id}/approve': [...BALANCE, 'approvals'],
  'POST /approvals/{approval_id}/decline': ['approvals'],
  'PUT /{environment}/spending-caps': ['spending-caps'],
  'POST /live/topups': ['topups'],
  'POST /live/topups/{topup_id}/pay': ['topups'],
  'POST /live/topups/bank-account': NOTHING,
  'POST /live/topups/cards': ['topups', 'cards'],
  'DELETE /live/topups/cards/{payment_method_id}': ['topups', 'cards'],
  'PUT /live/topups/automatic': ['topups'],

  'POST /{environment}/keys': KEYS,
  'POST /{environment}/keys/{key_id}/roll': KEYS,
  'POST /{environment}/keys/{key_id}/revoke': KEYS,
  'POST /{environment}/grants': ['grants'],
  'PUT /{environment}/grants/{grant_id}/limits': ['grants'],
  'POST /{environment}/grants/{grant_id}/token': ['grants'],
  'POST /{environment}/grants/{grant_id}/revoke': ['grants'],
  'POST /{environment}/connections/{connection_id}': ['grants'],
  'POST /connections/{connection_id}/decline': NOTHING,
  'POST /{environment}/webhooks': ['webhooks'],
  'POST /{environment}/webhooks/{endpoint_id}/rotate': ['webhooks'],
  'PUT /{environment}/webhooks/{endpoint_id}': ['webhooks'],
  'DELETE /{environment}/webhooks/{endpoint_id}': ['webhooks'],
  'POST /{environment}/webhooks/{endpoint_id}/disable': ['webhooks'],
  'POST /{environment}/webhooks/{endpoint_id}/enable': ['webhooks'],
  'POST /{environment}/webhooks/{endpoint_id}/deliveries/{event_id}/resend': ['webhooks'],
  'POST /{environment}/webhooks/{endpoint_id}/resend': ['webhooks'],

  'POST /{environment}/contacts': DECIDED,
  'PUT /{environment}/contacts/{contact_id}': DECIDED,
  'DELETE /{environment}/contacts/{contact_id}': DECIDED,
  'POST /{environment}/contacts/import': DECIDED,
  'POST /{environment}/contacts/missing/settle': DECIDED,
  'POST /{environment}/contacts/unsent-gifts': NOTHING,
  'POST /{environment}/contacts/check': NOTHING,
  'POST /{environment}/contacts/missing': NOTHING,
  'POST /{environment}/yearly-rules': DECIDED,
  'PUT /{environment}/yearly-rules/{rule_id}': DECIDED,
  'DELETE /{environment}/yearly-rules/{rule_id}': DECIDED,
  'PUT /{environment}/yearly-gifts/skips': DECIDED,

  'PUT /gift-views': ['gift-views'],
  'POST /gift-views/rename': ['gift-views'],
  'POST /gift-views/remove': ['gift-views'],
  'POST /{environment}/gift-templates': ['gift-templates'],
  'PUT /{environment}/gift-templates/{template_id}': ['gift-templates', 'calendar'],
  'DELETE /{environment}/gift-templates/{template_id}': ['gift-templates', 'calendar'],

  'POST /{environment}/orders': PAID,
  'POST /{environment}/orders/preview': NOTHING,
  'POST /{environment}/orders/{order_id}/cancel': PAID,
  'POST /{environment}/batches/check': NOTHING,
  'POST /{environment}/batches': ['batches'],
  'PUT /{environment}/batches/{batch_id}/rows': ['batches'],
  'POST /{environment}/batches/{batch_id}/start': ['batches'],
  'POST /{environment}/batches/{batch_id}/resume': ['batches'],
  'POST /{environment}/batches/{batch_id}/cancel': PAID,
  'POST /{environment}/gift-requests': REQUESTS,
  'POST /{environment}/gift-requests/orders': REQUESTS,
  'POST /{environment}/gift-requests/batches': [...REQUESTS, 'batches'],
  'POST /{environment}/gift-requests/{gift_request_id}/withdraw': DECIDED,
  'POST /{environment}/gift-requests/{gift_request_id}/approve': DECIDED,
  'POST /{environment}/gift-requests/{gift_request_id}/decline': DECIDED,

  'POST /{environment}/gifts/{gift_id}/link': GIFT,
  'PUT /{environment}/gifts/{gift_id}/delivery': GIFT,
  'POST /sandbox/gifts/{gift_id}/simulate': PAID,
  'POST /{environment}/gifts/{gift_id}/resend': GIFT,
  'POST /{environment}/gifts/{gift_id}/schedule': GIFT,
  'POST /{environment}/gifts/{gift_id}/card/reopen': GIFT,
  'POST /{environment}/gifts/{gift_id}/hold': GIFT,
  'POST /{environment}/gifts/{gift_id}/release': GIFT,
  'POST /{environment}/gifts/{gift_id}/cancel': PAID,
  'POST /gifts/hold': ALL,
  'POST /gifts/release': ALL,
} as const satisfies Record<Operation, Changed>;

/** Of the operator's page, where every other operation changes everything. */
const operatorReads = { 'POST /operator/api/search': NOTHING, 'POST /operator/api/recipients/export': NOTHING };

const rows: Readonly<Record<string, Changed | undefined>> = { ...changes, ...operatorReads };

/** What an operation changes. @param operation such as `PUT /portal/api/me/name`, as its document writes the path */
export function changesOf(operation: string): Changed {
  const row = rows[operation.replace(/\/portal\/api(?:\/organizations\/\{organization_id\})?/, '')];
  return row === undefined ? ['everything'] : row.length === 0 ? row : [...row, 'audit'];
}
