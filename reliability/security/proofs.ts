import type { controls } from './controls.ts';

/**
 * The files that prove each control, with parts of the names of those of its tests that do; none: all of them. A file of
 * this folder is a program, which needs root and a network namespace.
 */
export const proofs: Readonly<Record<keyof typeof controls, Readonly<Record<string, readonly string[]>>>> = {
  tenants: {
    'server/test/security/tenants.test.ts': [],
    'server/test/security/tenants-portal.test.ts': [],
    'server/test/surfaces/portal/access.test.ts': ['refuses people who are not its members'],
    'server/test/platform/database/statements.test.ts': [
      'every statement is for the organization of its first parameter',
    ],
    'server/test/platform/audit/list.test.ts': ['hides other organizations’ events and refuses their ids as cursors'],
  },
  'secrets-strength': {
    'server/test/platform/authentication/key-format.test.ts': [],
    'server/test/faces/redemption/links.test.ts': ['a changed, missing or added character is rejected'],
    'server/test/faces/redemption/link-page.test.ts': ['a token opens only the gift'],
    'server/test/core/notices/notices.test.ts': [
      'a cipher decrypts what an earlier secret encrypted, and nothing else',
    ],
  },
  'secrets-at-rest': {
    'server/test/security/canaries.system.test.ts': [],
    'server/test/security/canary-search.test.ts': [],
    'server/test/core/keys/operator.test.ts': ['stores only the hash and the hint of a key'],
    'server/test/core/cards/cards.test.ts': ['the database has no card number or security code'],
    'server/test/surfaces/portal/gifts.test.ts': ['a message is shown without anything that opens the gift'],
    'server/test/capabilities/request-log/request-log.test.ts': ['no row contains a key or a full address'],
  },
  root: {
    'server/test/platform/embedded-postgres/root.system.test.ts': [
      'follows no link',
      'no owner outside',
      'runs as the owner of DATA_DIR',
      'its own user',
      'admits only the data’s user and root',
    ],
  },
  'link-secret': {
    'server/test/faces/redemption/links.test.ts': ['with a key id', 'that the secret itself signed is not read'],
    'server/test/faces/redemption/link-page.test.ts': ['one purpose is rotated alone', 'rotation'],
    'server/test/faces/redemption/link-secret.test.ts': ['can be guessed is refused'],
  },
  deployment: {
    'server/test/platform/messaging/smtp-tls.test.ts': [],
    'server/test/capabilities/issuers/lithic.test.ts': ['in plain text'],
    'server/test/surfaces/process/config-refused.test.ts': ['has limits, and a sentence'],
    'server/test/surfaces/metrics/metrics.test.ts': ['only this machine'],
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
    'server/test/capabilities/outbox/outbox.test.ts': ['without its address', 'while something is sent'],
    'server/test/surfaces/process/start-panel.test.ts': [],
    'server/test/surfaces/process/start.system.test.ts': ['the first start shows keys'],
    'server/test/surfaces/process/config.test.ts': ['a demo is seeded only on this machine'],
    'server/test/surfaces/doctor/doctor.system.test.ts': ['a demo that is left'],
    'server/test/surfaces/doctor/demo.test.ts': [],
  },
  'extra-fields': {
    'server/test/security/extra-fields.test.ts': [],
    'server/test/platform/api/openapi.test.ts': ['what the service answers fits what the document says'],
    'server/test/core/gifts/gift-shapes.test.ts': ['show exactly the specified fields'],
    'server/test/platform/http/hostile-json.test.ts': ['__proto__'],
  },
  limits: {
    'server/test/platform/rate-limits/key-and-address-limits.test.ts': [],
    'server/test/core/delivery/hooks-refused.test.ts': ['after 200 unverified calls an address is rate limited'],
    'server/test/surfaces/portal/access.test.ts': ['one client can request a limited number of codes'],
    'server/test/security/codes.test.ts': ['an address gets five codes at once'],
    'server/test/capabilities/request-log/limits.test.ts': ['logs a bounded number'],
    'server/test/platform/http/body-limits.test.ts': [],
    'server/test/platform/base/coalesce.test.ts': ['refuses the 10,001st waiting item'],
  },
  guesses: {
    'server/test/platform/rate-limits/key-and-address-limits.test.ts': [
      'cannot guess a key or reach the database',
      'a key that was revoked no longer passes',
      'a key that was used before is answered',
    ],
  },
  'key-limits': {
    'server/test/core/keys/limits.test.ts': [],
    'server/test/surfaces/portal/keys.test.ts': [],
    'server/test/platform/authentication/every-operation.test.ts': ['in every request, without effects'],
  },
  'spending-caps': { 'server/test/core/caps/caps.test.ts': [], 'server/test/core/caps/races.test.ts': [] },
  terminal: {
    'server/test/surfaces/commands/commands.test.ts': ['names reach the terminal without'],
    'server/test/surfaces/commands/questions.test.ts': ['steers the terminal'],
    'server/test/surfaces/commands/export.test.ts': ['steer a terminal'],
    'server/test/surfaces/portal/keys.test.ts': ['a name with control characters'],
    'server/test/security/control-characters.test.ts': [],
  },
  'ten-keys': { 'server/test/core/keys/operator.test.ts': ['fifty simultaneous creations leave ten active keys'] },
  'message-caps': {
    'server/test/security/message-caps.test.ts': [],
    'server/test/core/gifts/redirect.test.ts': ['refuses the sixth redirect of a gift'],
    'server/test/faces/redemption/renewed-link.test.ts': ['once an hour and five times a day'],
  },
  cookies: {
    'server/test/security/headers.test.ts': ['only sign-in and gifts set cookies'],
    'server/test/security/sessions.test.ts': [],
    'server/test/surfaces/portal/access.test.ts': ['a session ends thirty days after its sign-in', 'behind HTTPS'],
  },
  'foreign-pages': {
    'portal/test/security-forms.system.test.ts': [],
    'server/test/surfaces/portal/access.test.ts': ['changes from a foreign or missing origin are refused'],
    'server/test/faces/redemption/recipient-page.test.ts': ['a form of another site is refused and changes nothing'],
  },
  headers: {
    'server/test/security/headers.test.ts': [],
    'server/test/capabilities/docs/routes.test.ts': [
      'the API reference has the policy of the other pages and is known by its etag',
    ],
  },
  names: {
    'portal/test/security-names.system.test.ts': [],
    'server/test/security/hidden-names.test.ts': [],
    'server/test/core/delivery/email-messages.test.ts': ['adds no header or element'],
    'server/test/core/delivery/text-messages.test.ts': ['a text message has no link except the gift’s'],
    'server/test/core/notices/mails.test.ts': ['add no element, no header and no link'],
    'server/test/faces/redemption/page.test.ts': ['is text in every name'],
    'server/test/platform/http/csv-reply.test.ts': ['text that looks like a formula gets an apostrophe'],
    'server/test/platform/api/validation-values.test.ts': ['is refused'],
  },
  'outgoing-calls': {
    'reliability/security/outgoing-calls.ts': [],
    'server/test/core/delivery/hooks-sns.test.ts': [
      'calls of other topics are 401 without a certificate download',
      'confirms a subscription only at Amazon’s host',
      'a fifth simultaneous certificate download is refused',
    ],
    'server/test/capabilities/webhooks/address.test.ts': [],
    'server/test/capabilities/webhooks/push.test.ts': ['a redirect is a failure and is not followed'],
  },
  'webhook-signatures': {
    'server/test/capabilities/webhooks/verifiers.system.test.ts': [],
    'server/test/capabilities/secret-rotation/encrypt-again.test.ts': [],
    'server/test/capabilities/webhooks/routes.test.ts': ['a rotation signs with both secrets until the overlap ends'],
  },
  logs: {
    'server/test/security/canaries.system.test.ts': ['no address or name of a person'],
    'server/test/capabilities/request-log/masks.test.ts': [],
    'server/test/platform/audit/audit.test.ts': ['the log contains no key and no full address of a recipient'],
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
    'server/test/surfaces/portal/access.test.ts': [
      'a deactivated member loses access at once',
      'keeps authenticator apps valid',
    ],
  },
  'keys-in-use': {
    'server/test/platform/authentication/authentication.test.ts': [],
    'server/test/platform/authentication/every-operation.test.ts': [],
    'server/test/platform/api/order-of-checks.test.ts': [],
  },
  'reading-changes-nothing': { 'server/test/faces/redemption/link-page.test.ts': ['reading a link with GET or HEAD'] },
  holds: { 'server/test/core/gifts/holds.test.ts': [] },
  'card-holder': {
    'server/test/faces/redemption/card-holder.test.ts': [],
    'server/test/faces/redemption/pins.test.ts': [],
  },
  finder: { 'server/test/capabilities/finder/finder.test.ts': [] },
  assistants: {
    'server/test/capabilities/oauth/attacks.test.ts': [],
    'server/test/capabilities/oauth/documents.test.ts': [],
    'server/test/capabilities/oauth/strangers.test.ts': [],
    'server/test/capabilities/oauth/sign-in.test.ts': ['in any way ends the sign-in', 'does not serve live'],
  },
  'served-environments': { 'server/test/security/served-environments.test.ts': [] },
  'pages-link-within': { 'server/test/faces/redemption/limited-page.test.ts': [] },
  erasure: {
    'server/test/core/orders/erased-fingerprint.test.ts': [],
    'server/test/capabilities/erasure/erase-recipient.test.ts': [],
    'server/test/core/caps/caps.test.ts': ['erasing a recipient'],
    'server/test/core/organizations/erase-member.test.ts': [],
  },
  'new-links': { 'server/test/core/gifts/replace-link.test.ts': [] },
  'audit-log': {
    'server/test/platform/audit/audit.test.ts': [],
    'server/test/platform/audit/sign-in.test.ts': [],
    'server/test/surfaces/commands/look-up.test.ts': ['the audit log says so'],
  },
  'least-privilege': { 'server/test/platform/database/service-role.test.ts': [] },
  'row-security': { 'server/test/platform/database/row-security.test.ts': [] },
  'append-only': { 'server/test/platform/database/append-only.test.ts': [] },
  'hash-chains': {
    'server/test/capabilities/seals/seals.test.ts': [],
    'server/test/capabilities/seals/canonical.test.ts': [],
  },
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
  'admins-watch': { 'server/test/surfaces/portal/second-factor-policy.test.ts': [] },
  invitations: {
    'server/test/surfaces/portal/invitations.test.ts': [],
    'server/test/platform/audit/sign-in.test.ts': [],
  },
  'operator-page': {
    'server/test/surfaces/operator/access.test.ts': [],
    'server/test/surfaces/operator/matrix.test.ts': [],
  },
  'who-moves-money': {
    'server/test/surfaces/portal/who-moves-money.test.ts': [],
    'server/test/capabilities/gift-requests/rules-of-two.test.ts': [],
    'server/test/capabilities/gift-requests/approval-walls.test.ts': [],
  },
  'four-eyes': { 'server/test/core/balances/approvals.test.ts': [] },
};
