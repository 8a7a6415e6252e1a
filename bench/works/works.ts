/** What a person or a program does with an organization of many gifts. `{name}` stands for a sample of the organization. */
export interface Work {
  /** A request's method and path, or the arguments of `bestow`. */
  name: string;
  body?: object;
  times?: number;
}

/** Operations that read nothing of an organization's gifts, or need what a filled organization has not. */
export const LEFT_OUT = [
  '/portal/api/fresh-sign-in',
  '/portal/api/connections/{connection_id}',
  '/webhooks/{endpoint_id}',
  '/yearly-rules/{rule_id}',
  '/gift-requests/{gift_request_id}',
  '/brand/preview',
  '/brand/sender-domain',
  '/orders/preview',
  '/messages/{number}',
  '/gifts/{gift_id}/link',
  '/live/topups',
  '/v1/webhook_endpoints/{endpoint_id}',
  '/v1/ledger/proof',
];

const PORTAL = '/portal/api/organizations/{organization_id}/{environment}';
const OPERATOR = '/operator/api';

/** Beside each `GET` of the portal, the operator's page and `/v1` without parameters. */
export const requests: readonly Work[] = [
  ...[
    'query=No such person',
    'query=person-4',
    'query={address}',
    'query={gift_id}',
    'query=No such person&within=texts',
    'status=failed',
    'status=scheduled',
    'status=claimed&method=phone&category=books',
    'sort=largest',
    'sort=claimed',
    'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
  ].flatMap((query) => [
    { name: `GET ${PORTAL}/gifts?${query}` },
    { name: `GET ${PORTAL}/gifts/total?${query.replace(/sort=\w+/, '')}` },
  ]),
  { name: `GET ${PORTAL}/gifts/resends?status=failed` },
  { name: `GET ${PORTAL}/gifts.csv?query=No such person`, times: 1 },
  { name: `GET ${PORTAL}/gifts.csv?status=failed`, times: 1 },
  { name: `GET ${PORTAL}/orders?query=No such order` },
  { name: `GET ${PORTAL}/orders.csv?query=No such order`, times: 1 },
  { name: `GET ${PORTAL}/overview?days=90` },
  { name: `GET ${PORTAL}/balance/entries?kind=refund` },
  { name: `GET ${PORTAL}/balance/entries.csv?kind=refund`, times: 1 },
  { name: `GET ${PORTAL}/contacts?query=name` },
  { name: `GET ${PORTAL}/contacts?query=No such person` },
  { name: `GET ${PORTAL}/contacts?tag=team-7` },
  { name: `GET ${PORTAL}/contacts?tag=none` },
  { name: `GET ${PORTAL}/contacts.csv?tag=none`, times: 1 },
  { name: `GET ${PORTAL}/requests?outcome=failed` },
  { name: `GET ${PORTAL}/requests?path=/v1/none` },
  { name: `GET ${PORTAL}/audit-events?action=spending_cap.set` },
  { name: `GET ${PORTAL}/batches/{batch_id}/rows?result=refused` },
  {
    name: `POST ${PORTAL}/contacts/missing`,
    body: { in_file: [], left: [], among: 'all' },
  },
  {
    name: `POST ${PORTAL}/balance/reconciliations`,
    body: { csv: 'reference,amount\nours,1', month: '{month}', kind: 'order' },
  },
  { name: 'GET /v1/gifts?expand=history,order,card&limit=100' },
  { name: 'GET /v1/orders?expand=history&limit=100' },
  { name: 'GET /v1/events?limit=1000' },
  { name: 'GET /v1/contacts?tag=none' },
  { name: `POST ${OPERATOR}/search`, body: { query: '{address}' } },
  { name: `POST ${OPERATOR}/search`, body: { query: '{gift_id}' } },
  { name: `POST ${OPERATOR}/search`, body: { query: 'No such thing' } },
  {
    name: `POST ${OPERATOR}/recipients/export`,
    body: {
      reason: 'They asked',
      organization_id: '{organization_id}',
      recipient: { method: 'email', email: '{address}' },
    },
    times: 1,
  },
  {
    name: `POST ${OPERATOR}/recipients/erase`,
    body: {
      reason: 'They asked',
      organization_id: '{organization_id}',
      recipient: { method: 'email', email: '{erased}' },
    },
    times: 1,
  },
];

/** `GET` with `Accept: text/csv`. */
export const files: readonly string[] = [
  '/v1/gifts?expand=history,order,card',
  '/v1/gifts?recipient=no.such.person@example.com',
  '/v1/gifts?metadata[half]=1&status=failed&category=books&delivery_method=phone',
  '/v1/orders?expand=history',
  '/v1/balance/entries',
  '/v1/contacts',
];

const SCOPE = '--org {organization_id} --environment {environment}';

export const commands: readonly string[] = [
  '--version',
  'org list',
  'org show {organization_id}',
  'member list --org {organization_id}',
  'balance show --org {organization_id}',
  `cap list ${SCOPE}`,
  'topup list --org {organization_id}',
  'outbox list',
  'outbox list --failed',
  `gift list ${SCOPE}`,
  `gift list ${SCOPE} --state failed`,
  `gift list ${SCOPE} --query unknown`,
  'gift find {gift_id}',
  'gift find {address}',
  'gift find unknown@example.com',
  'gift show {gift_id}',
  `order list ${SCOPE}`,
  'order show {order_id}',
  'audit list --org {organization_id}',
  `request list ${SCOPE}`,
  `request list ${SCOPE} --status 5xx`,
  `export orders ${SCOPE} --file {file}`,
  `export gifts ${SCOPE} --file {file}`,
  `export gifts ${SCOPE} --state failed --file {file}`,
  `export entries ${SCOPE} --file {file}`,
  'report aging',
  'report aging --org {organization_id}',
  'report recipients --org {organization_id} --year {year} --from-amount 1 --file {file}',
  'report money',
  'report money --day {day}',
  'ledger trial-balance --at {time}',
  'ledger trial-balance --at {time} --org {organization_id}',
  'ledger verify',
  'ledger checkpoint',
  'audit verify',
  `ledger reconcile {csv} ${SCOPE} --month {month}`,
  'doctor',
  'doctor --work',
  'doctor --capacity',
  'recipient export --email {address} --file {file}',
  'recipient export --email {address} --org {organization_id} --file {file}',
  'recipient erase --email {erased_first} --yes',
  'recipient erase --email {erased_second} --org {organization_id} --yes',
  'gift hold --org {organization_id} --yes',
  'gift release --org {organization_id}',
];
