import type { Control } from './control.ts';

/** Every security control with what holds it. `npm run security` runs these files, and a test checks that each name is there. */
export const controls: readonly Control[] = [
  {
    id: 'tenants',
    control: 'Ids and cursors of others, of the other mode, deleted and random ones are answered alike, byte for byte.',
    proofs: [
      { file: 'server/test/security/tenants.test.ts' },
      { file: 'server/test/security/tenants-portal.test.ts' },
      { file: 'server/test/portal/access.test.ts', tests: ['refuses people who are not its members'] },
      { file: 'server/test/database/statements.test.ts', tests: ['every statement names the organization once'] },
      {
        file: 'server/test/audit/list.test.ts',
        tests: ['hides other organizations’ events and refuses their ids as cursors'],
      },
    ],
  },
  {
    id: 'secrets-strength',
    control: 'Keys and tokens that are made here have at least 128 bits; nothing altered or made up opens anything.',
    proofs: [
      { file: 'server/test/keys/key-format.test.ts' },
      { file: 'server/test/redemption/links.test.ts', tests: ['a changed, missing or added character is rejected'] },
      { file: 'server/test/redemption/link-page.test.ts', tests: ['a token opens only the gift'] },
      {
        file: 'server/test/notices/notices.test.ts',
        tests: ['a seal opens what an earlier secret sealed, and nothing else'],
      },
    ],
  },
  {
    id: 'secrets-at-rest',
    control:
      'A dump of the database, the log, and mails and pages of others hold no usable key, link, session or code.',
    proofs: [
      { file: 'server/test/security/canaries.system.test.ts' },
      { file: 'server/test/security/canary-search.test.ts' },
      { file: 'server/test/keys/operator.test.ts', tests: ['stores only the hash and the hint of a key'] },
      { file: 'server/test/cards/cards.test.ts', tests: ['the database has no card number or security code'] },
      { file: 'server/test/portal/gifts.test.ts', tests: ['a message is shown without anything that opens the gift'] },
      {
        file: 'server/test/requests/request-log.test.ts',
        tests: ['no row contains a key or a full address'],
      },
    ],
  },
  {
    id: 'extra-fields',
    control: 'Extra fields never reach storage, and answers have no field that is not described.',
    proofs: [
      { file: 'server/test/security/extra-fields.test.ts' },
      { file: 'server/test/api/openapi.test.ts', tests: ['what the service answers fits what the document says'] },
      { file: 'server/test/gifts/gift-shapes.test.ts', tests: ['show exactly the specified fields'] },
      { file: 'server/test/http/hostile-json.test.ts', tests: ['__proto__'] },
    ],
  },
  {
    id: 'limits',
    control: 'Calls are limited by key, by address and by queue, and overload is refused at once.',
    proofs: [
      { file: 'server/test/rate-limits/key-and-address-limits.test.ts' },
      {
        file: 'server/test/delivery/hooks-refused.test.ts',
        tests: ['after 200 unverified calls an address is rate limited'],
      },
      { file: 'server/test/portal/access.test.ts', tests: ['one client can request a limited number of codes'] },
      { file: 'server/test/security/codes.test.ts', tests: ['an address gets ten codes and attempts at once'] },
      { file: 'server/test/requests/limits.test.ts', tests: ['logs a bounded number'] },
      { file: 'server/test/http/body-limits.test.ts' },
      { file: 'server/test/base/batch.test.ts', tests: ['refuses the 10,001st waiting item'] },
    ],
  },
  {
    id: 'ten-keys',
    control: 'The limit of ten active keys holds under fifty creations at once.',
    proofs: [
      { file: 'server/test/keys/operator.test.ts', tests: ['fifty simultaneous creations leave ten active keys'] },
    ],
  },
  {
    id: 'message-caps',
    control: 'Messages are capped: by organization and number where it is set, by gift always; and so are invitations.',
    proofs: [
      { file: 'server/test/security/message-caps.test.ts' },
      { file: 'server/test/gifts/redirect.test.ts', tests: ['refuses the sixth redirect of a gift'] },
      { file: 'server/test/redemption/renewed-link.test.ts', tests: ['once an hour and five times a day'] },
    ],
  },
  {
    id: 'cookies',
    control:
      'Cookies are HttpOnly and Lax, behind HTTPS Secure with the __Host- prefix, and end by idleness and by age.',
    proofs: [
      { file: 'server/test/security/headers.test.ts', tests: ['only the sign-in sets cookies'] },
      { file: 'server/test/security/sessions.test.ts' },
      {
        file: 'server/test/portal/access.test.ts',
        tests: ['a session ends thirty days after its sign-in', 'behind HTTPS'],
      },
    ],
  },
  {
    id: 'foreign-pages',
    control: 'Pages of other origins can change, read and frame nothing.',
    proofs: [
      { file: 'portal/test/security-forms.system.test.ts' },
      { file: 'server/test/portal/access.test.ts', tests: ['changes from a foreign or missing origin are refused'] },
      {
        file: 'server/test/redemption/recipient-page.test.ts',
        tests: ['a form of another site is refused and changes nothing'],
      },
    ],
  },
  {
    id: 'headers',
    control:
      'Every answer, also of the parser, has its policy, nosniff, no-referrer, no-store where due, HSTS behind HTTPS.',
    proofs: [
      { file: 'server/test/security/headers.test.ts' },
      { file: 'server/test/docs/routes.test.ts', tests: ['the API reference has no inline script'] },
    ],
  },
  {
    id: 'names',
    control: 'Names with markup, marks of direction and line breaks are text everywhere, and never links.',
    proofs: [
      { file: 'portal/test/security-names.system.test.ts' },
      {
        file: 'server/test/delivery/email-messages.test.ts',
        tests: ['adds no header or element'],
      },
      { file: 'server/test/delivery/text-messages.test.ts', tests: ['a text message has no link except the gift’s'] },
      { file: 'server/test/notices/mails.test.ts', tests: ['add no element, no header and no link'] },
      { file: 'server/test/redemption/page.test.ts', tests: ['is text in every name'] },
      { file: 'server/test/portal/reads-csv.test.ts', tests: ['text that looks like a formula gets an apostrophe'] },
      { file: 'server/test/api/validation-values.test.ts', tests: ['is refused'] },
    ],
  },
  {
    id: 'outgoing-calls',
    control:
      'No address that anybody sends is ever asked; Amazon’s certificate and confirmation come from its host alone.',
    proofs: [
      { program: 'outgoing-calls.ts' },
      {
        file: 'server/test/delivery/hooks-sns.test.ts',
        tests: [
          'calls of other topics are 401 without a certificate download',
          'confirms a subscription only at Amazon’s host',
          'a fifth simultaneous certificate download is refused',
        ],
      },
    ],
  },
  {
    id: 'logs',
    control: 'The log has listed fields, route patterns and no addresses.',
    proofs: [
      { file: 'server/test/security/canaries.system.test.ts', tests: ['no address or name of a person'] },
      { file: 'server/test/requests/masks.test.ts' },
      {
        file: 'server/test/audit/audit.test.ts',
        tests: ['the log contains no key and no full address of a recipient'],
      },
    ],
  },
  {
    id: 'timing',
    control: 'How long an answer takes tells no keys and no addresses.',
    proofs: [{ file: 'server/test/security/timing.system.test.ts' }],
  },
  {
    id: 'sign-in',
    control:
      'Codes are good once, for ten minutes and their address, and end with the third wrong attempt; with a second factor a code alone is not enough; answers name no one.',
    proofs: [
      { file: 'portal/test/sign-in.system.test.ts' },
      { file: 'server/test/security/codes.test.ts' },
      { file: 'server/test/security/authenticator.test.ts' },
      { file: 'server/test/security/fresh-sign-in.test.ts' },
      { file: 'server/test/security/passkeys.test.ts' },
      { file: 'server/test/security/lost-sign-in.test.ts' },
      {
        file: 'server/test/portal/access.test.ts',
        tests: ['a deactivated member loses access at once', 'keeps authenticator apps valid'],
      },
    ],
  },
  {
    id: 'keys-in-use',
    control:
      'A key is asked for before the body is read, revocation holds from the next request on, live and sandbox are apart.',
    proofs: [
      { file: 'server/test/authentication/authentication.test.ts' },
      { file: 'server/test/authentication/recalled-keys.test.ts' },
      { file: 'server/test/api/order-of-checks.test.ts' },
    ],
  },
  {
    id: 'reading-changes-nothing',
    control: 'GET and HEAD of a link change nothing.',
    proofs: [{ file: 'server/test/redemption/link-page.test.ts', tests: ['reading a link with GET or HEAD'] }],
  },
  {
    id: 'audit-log',
    control: 'Every change is recorded with who and from where, and the record cannot be altered.',
    proofs: [{ file: 'server/test/audit/audit.test.ts' }, { file: 'server/test/audit/sign-in.test.ts' }],
  },
  {
    id: 'dependencies',
    control:
      'Versions are exact and have checksums, nothing runs at installation but what is allowed, and there is a bill of materials.',
    proofs: [
      { file: 'server/test/security/dependencies.system.test.ts' },
      { file: 'server/test/repository/documents.test.ts', tests: ['a row with a reason for each direct dependency'] },
    ],
  },
  {
    id: 'document',
    control: 'docs/asvs.md has every ASVS item, and every file that SECURITY.md and docs/asvs.md name exists.',
    proofs: [
      { file: 'server/test/security/controls.test.ts' },
      { file: 'server/test/repository/links.test.ts', tests: ['every link of every document'] },
    ],
  },
];
