/** Every security control and what holds. `npm run security` runs its proofs (proofs.ts), and a test checks that each is there. */
export const controls = {
  tenants: 'Ids and cursors of others, of the other mode, deleted and random ones are answered alike, byte for byte.',
  'secrets-strength':
    'Keys and tokens that are made here have at least 128 bits; nothing altered or made up opens anything.',
  'secrets-at-rest':
    'A dump of the database, the log, and mails and pages of others hold no usable key, link, session or code.',
  root: 'Started as root, Bestow becomes the data’s user, and no link makes it change a file elsewhere.',
  'link-secret':
    'Links, codes and sessions have separate keys, which are rotated alone; guessable secrets are refused.',
  deployment:
    'Mails and keys of providers leave only over TLS; deployments have no secrets, and only their proxy reaches the service.',
  'local-users':
    'Other users of the machine find neither the outbox nor keys of a demo, which is never made for others.',
  'extra-fields': 'Extra fields never reach storage, and answers have no field that is not described.',
  limits: 'Calls are limited by key, by address and by queue, and overload is refused at once.',
  guesses: 'Guessed keys are refused by address before they are looked up; keys in use go on working.',
  'key-limits': 'Expiry, networks and replacement of a key hold in every operation, in batches and on every process.',
  'spending-caps': 'No number of orders at once exceeds a cap of an organization, a key or a recipient by a cent.',
  terminal: 'No stored or sent name steers the operator’s terminal or ends in a 500.',
  'ten-keys': 'The limit of ten active keys holds under fifty creations at once.',
  'message-caps':
    'Messages are capped: by organization and number where it is set, by gift always; and so are invitations.',
  cookies: 'Cookies are HttpOnly and Lax, behind HTTPS Secure with the __Host- prefix, and end by idleness and by age.',
  'foreign-pages': 'Pages of other origins can change, read and frame nothing.',
  headers:
    'Every answer, also of the parser, has its policy, nosniff, no-referrer, no-store where due, HSTS behind HTTPS.',
  names: 'Names with markup, marks of direction and line breaks are text everywhere, and never links.',
  'outgoing-calls':
    'Of the addresses that anybody sends only those of webhook endpoints are asked, if they are public; Amazon’s certificate and confirmation come from its host alone.',
  'webhook-signatures':
    'Pushes have signatures that other libraries verify, with secrets that are encrypted in the database.',
  logs: 'The log has listed fields, route patterns and no addresses.',
  timing: 'Known and unknown keys and addresses cost the same statements, so the time of an answer reveals nothing.',
  'sign-in':
    'Codes are good once, for ten minutes and their address, and end with the third wrong attempt; with a second factor a code alone is not enough; answers name no one.',
  'keys-in-use':
    'A key is asked for before the body is read, revocation holds from the next request on, live and sandbox are apart.',
  'reading-changes-nothing': 'GET and HEAD of a link change nothing.',
  holds: 'A gift, or all unclaimed gifts of an organization, can be stopped; no claim succeeds after that.',
  'card-holder':
    'The number of a claimed card is shown to the claiming browser, or after a code or PIN; guesses are counted.',
  finder:
    'A code to find gifts works only in the browser that asked, guesses for an address end, and a stranger locks no one out.',
  assistants:
    'An assistant that signs in gets what a person agreed to, in the browser where it began; a code or refresh token that comes twice ends its grant.',
  'served-environments':
    'A process touches only the environments that it serves: API, links, portal, webhooks and jobs.',
  'pages-link-within': 'Pages about an invalid link do not lead where its address says.',
  erasure: 'Nothing that is stored confirms an erased address or name.',
  'new-links': 'A leaked link of an unclaimed gift can be replaced; all earlier links are unknown from then on.',
  'audit-log': 'Every change is recorded with who and from where, and the record cannot be altered.',
  'least-privilege':
    'The service’s role owns nothing, changes no schema and no trigger, and only adds to ledger and audit log.',
  'row-security': 'A statement that forgets its organization returns and changes no row of another.',
  'append-only':
    'The database refuses changes of entries, orders, a gift’s value and its claim, and deletions of live rows.',
  'hash-chains': 'A rewritten, deleted or added row of a ledger or an audit log is found, and so is a cut tail.',
  dependencies:
    'Versions are exact and have checksums, nothing runs at installation but what is allowed, and there is a bill of materials.',
  document: 'docs/asvs.md has every ASVS item, and every file that SECURITY.md and docs/asvs.md name exists.',
  'no-lockout':
    'A stranger cannot lock a member out, and all guesses for an address have one cap, however many at once.',
  'admins-watch':
    'All admins hear of new admins, roles and devices, and an organization can require a second factor of them.',
  invitations: 'A membership begins when the person accepts, and organizations see nothing of a person’s sign-in.',
  'operator-page':
    'The operator’s page needs an own session with a second factor, and a reason for each change; its log cannot be altered.',
  'who-moves-money':
    'No permission and no pair of them buys anything without sending gifts, and no one alone takes down a wall for two.',
  'four-eyes': 'Large changes of a balance need a second person, and both are in the ledger entry.',
} as const;
