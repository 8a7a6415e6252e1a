import type { controls } from './controls.ts';

/**
 * The files that prove each control, with parts of the names of those of its tests that do; none: all of them. A file of
 * this folder is a program, which needs root and a network namespace.
 */
export const proofs: Readonly<Record<keyof typeof controls, Readonly<Record<string, readonly string[]>>>> = {
  tenants: {
    'server/test/security/tenants.test.ts': [],
    'server/test/security/tenants-portal.test.ts': [],
    'server/test/portal/access.test.ts': ['refuses people who are not its members'],
    'server/test/database/statements.test.ts': ['every statement is for the organization of its first parameter'],
    'server/test/audit/list.test.ts': ['hides other organizations’ events and refuses their ids as cursors'],
  },
  'secrets-strength': {
    'server/test/authentication/key-format.test.ts': [],
    'server/test/redemption/links.test.ts': ['a changed, missing or added character is rejected'],
    'server/test/redemption/link-page.test.ts': ['a token opens only the gift'],
    'server/test/notices/notices.test.ts': ['a seal opens what an earlier secret sealed, and nothing else'],
  },
  'secrets-at-rest': {
    'server/test/security/canaries.system.test.ts': [],
    'server/test/security/canary-search.test.ts': [],
    'server/test/keys/operator.test.ts': ['stores only the hash and the hint of a key'],
    'server/test/cards/cards.test.ts': ['the database has no card number or security code'],
    'server/test/portal/gifts.test.ts': ['a message is shown without anything that opens the gift'],
    'server/test/requests/request-log.test.ts': ['no row contains a key or a full address'],
  },
  root: {
    'server/test/embedded-postgres/root.system.test.ts': [
      'follows no link',
      'no owner outside',
      'runs as the owner of DATA_DIR',
      'its own user',
      'admits only the data’s user and root',
    ],
  },
  'link-secret': {
    'server/test/redemption/links.test.ts': ['with a key id', 'of an earlier release'],
    'server/test/redemption/link-page.test.ts': ['one purpose is rotated alone', 'rotation'],
    'server/test/redemption/link-secret.test.ts': ['can be guessed is refused'],
  },
  deployment: {
    'server/test/messaging/smtp-tls.test.ts': [],
    'server/test/issuers/lithic.test.ts': ['in plain text'],
    'server/test/process/config-refused.test.ts': ['has limits, and a sentence'],
    'server/test/metrics/metrics.test.ts': ['only this machine'],
    'server/test/repository/deployment.test.ts': [
      'only the ingress',
      'single addresses of a proxy',
      'have no secret',
      'asks for a password',
      'by its digest',
      'to fill in',
    ],
  },
  'local-users': {
    'server/test/outbox/outbox.test.ts': ['without its address', 'while something is sent'],
    'server/test/process/start-panel.test.ts': [],
    'server/test/process/start.system.test.ts': ['the first start shows keys'],
    'server/test/process/config.test.ts': ['a demo is seeded only on this machine'],
    'server/test/doctor/doctor.system.test.ts': ['a demo that is left'],
    'server/test/doctor/demo.test.ts': [],
  },
  'extra-fields': {
    'server/test/security/extra-fields.test.ts': [],
    'server/test/api/openapi.test.ts': ['what the service answers fits what the document says'],
    'server/test/gifts/gift-shapes.test.ts': ['show exactly the specified fields'],
    'server/test/http/hostile-json.test.ts': ['__proto__'],
  },
  limits: {
    'server/test/rate-limits/key-and-address-limits.test.ts': [],
    'server/test/delivery/hooks-refused.test.ts': ['after 200 unverified calls an address is rate limited'],
    'server/test/portal/access.test.ts': ['one client can request a limited number of codes'],
    'server/test/security/codes.test.ts': ['an address gets five codes at once'],
    'server/test/requests/limits.test.ts': ['logs a bounded number'],
    'server/test/http/body-limits.test.ts': [],
    'server/test/base/batch.test.ts': ['refuses the 10,001st waiting item'],
  },
  guesses: {
    'server/test/rate-limits/key-and-address-limits.test.ts': [
      'cannot guess a key or reach the database',
      'a key that was revoked no longer passes',
      'a key that was used before is answered',
    ],
  },
  'key-limits': {
    'server/test/keys/limits.test.ts': [],
    'server/test/portal/keys.test.ts': [],
    'server/test/authentication/every-operation.test.ts': ['in every request, without effects'],
  },
  'spending-caps': { 'server/test/caps/caps.test.ts': [], 'server/test/caps/races.test.ts': [] },
  terminal: {
    'server/test/commands/commands.test.ts': ['names reach the terminal without'],
    'server/test/commands/questions.test.ts': ['steers the terminal'],
    'server/test/commands/export.test.ts': ['steer a terminal'],
    'server/test/portal/keys.test.ts': ['a name with control characters'],
    'server/test/security/control-characters.test.ts': [],
  },
  'ten-keys': { 'server/test/keys/operator.test.ts': ['fifty simultaneous creations leave ten active keys'] },
  'message-caps': {
    'server/test/security/message-caps.test.ts': [],
    'server/test/gifts/redirect.test.ts': ['refuses the sixth redirect of a gift'],
    'server/test/redemption/renewed-link.test.ts': ['once an hour and five times a day'],
  },
  cookies: {
    'server/test/security/headers.test.ts': ['only sign-in and gifts set cookies'],
    'server/test/security/sessions.test.ts': [],
    'server/test/portal/access.test.ts': ['a session ends thirty days after its sign-in', 'behind HTTPS'],
  },
  'foreign-pages': {
    'portal/test/security-forms.system.test.ts': [],
    'server/test/portal/access.test.ts': ['changes from a foreign or missing origin are refused'],
    'server/test/redemption/recipient-page.test.ts': ['a form of another site is refused and changes nothing'],
  },
  headers: {
    'server/test/security/headers.test.ts': [],
    'server/test/docs/routes.test.ts': ['the API reference has the policy of the other pages and is known by its etag'],
  },
  names: {
    'portal/test/security-names.system.test.ts': [],
    'server/test/delivery/email-messages.test.ts': ['adds no header or element'],
    'server/test/delivery/text-messages.test.ts': ['a text message has no link except the gift’s'],
    'server/test/notices/mails.test.ts': ['add no element, no header and no link'],
    'server/test/redemption/page.test.ts': ['is text in every name'],
    'server/test/http/csv-reply.test.ts': ['text that looks like a formula gets an apostrophe'],
    'server/test/api/validation-values.test.ts': ['is refused'],
  },
  'outgoing-calls': {
    'reliability/security/outgoing-calls.ts': [],
    'server/test/delivery/hooks-sns.test.ts': [
      'calls of other topics are 401 without a certificate download',
      'confirms a subscription only at Amazon’s host',
      'a fifth simultaneous certificate download is refused',
    ],
    'server/test/webhooks/address.test.ts': [],
    'server/test/webhooks/push.test.ts': ['a redirect is a failure and is not followed'],
  },
  'webhook-signatures': {
    'server/test/webhooks/verifiers.system.test.ts': [],
    'server/test/notices/reseal-values.test.ts': [],
    'server/test/webhooks/routes.test.ts': ['a rotation signs with both secrets until the overlap ends'],
  },
  logs: {
    'server/test/security/canaries.system.test.ts': ['no address or name of a person'],
    'server/test/requests/masks.test.ts': [],
    'server/test/audit/audit.test.ts': ['the log contains no key and no full address of a recipient'],
  },
  timing: { 'server/test/security/same-work.test.ts': [] },
  'sign-in': {
    'portal/test/sign-in.system.test.ts': [],
    'server/test/security/codes.test.ts': [],
    'server/test/security/authenticator.test.ts': [],
    'server/test/security/fresh-sign-in.test.ts': ['an old session cannot make keys or admins'],
    'portal/test/keys.system.test.ts': ['confirms by code and the key is created as named'],
    'server/test/security/passkeys.test.ts': [],
    'server/test/security/lost-sign-in.test.ts': [],
    'server/test/portal/access.test.ts': [
      'a deactivated member loses access at once',
      'keeps authenticator apps valid',
    ],
  },
  'keys-in-use': {
    'server/test/authentication/authentication.test.ts': [],
    'server/test/authentication/every-operation.test.ts': [],
    'server/test/api/order-of-checks.test.ts': [],
  },
  'reading-changes-nothing': { 'server/test/redemption/link-page.test.ts': ['reading a link with GET or HEAD'] },
  holds: { 'server/test/gifts/holds.test.ts': [] },
  'card-holder': { 'server/test/redemption/card-holder.test.ts': [] },
  finder: { 'server/test/finder/finder.test.ts': [] },
  assistants: {
    'server/test/oauth/attacks.test.ts': [],
    'server/test/oauth/documents.test.ts': [],
    'server/test/oauth/sign-in.test.ts': ['in any way ends the sign-in', 'does not serve live'],
  },
  'served-environments': { 'server/test/security/served-environments.test.ts': [] },
  'pages-link-within': { 'server/test/redemption/limited-page.test.ts': [] },
  erasure: {
    'server/test/orders/erased-fingerprint.test.ts': [],
    'server/test/gifts/erase-recipient.test.ts': [],
    'server/test/caps/caps.test.ts': ['erasing a recipient'],
    'server/test/organizations/erase-member.test.ts': [],
  },
  'new-links': { 'server/test/gifts/replace-link.test.ts': [] },
  'audit-log': {
    'server/test/audit/audit.test.ts': [],
    'server/test/audit/sign-in.test.ts': [],
    'server/test/commands/look-up.test.ts': ['the audit log says so'],
  },
  'least-privilege': { 'server/test/database/service-role.test.ts': [] },
  'row-security': { 'server/test/database/row-security.test.ts': [] },
  'append-only': { 'server/test/database/append-only.test.ts': [] },
  'hash-chains': { 'server/test/seals/seals.test.ts': [], 'server/test/seals/canonical.test.ts': [] },
  dependencies: {
    'server/test/security/dependencies.system.test.ts': [],
    'server/test/repository/documents.test.ts': ['a row with a reason for each direct dependency'],
  },
  document: {
    'server/test/security/controls.test.ts': [],
    'server/test/repository/links.test.ts': ['every link of every document'],
  },
  'no-lockout': {
    'server/test/security/codes.test.ts': [
      'wrong codes of strangers do not end a member’s code',
      'stop no member in a browser used before',
      'simultaneous guesses cannot pass the pause',
      'takes one hundred wrong codes ever',
    ],
  },
  'admins-watch': { 'server/test/portal/second-factor-policy.test.ts': [] },
  invitations: { 'server/test/portal/invitations.test.ts': [], 'server/test/audit/sign-in.test.ts': [] },
  'four-eyes': { 'server/test/balances/approvals.test.ts': [] },
};
