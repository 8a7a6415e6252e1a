/** Findings of the OWASP rule set that stay, each with its reason; one that finds nothing any more is reported as well. */
export interface Exception {
  rule: string;
  /** Where in the document, its parts joined by slashes; what a rule says elsewhere is a finding. */
  where: RegExp;
  reason: string;
}

/** Schemas of answers only, and the headers of answers. */
const ANSWERS =
  /^(?:components\/(?:headers|schemas\/(?:Category|CategoryList|ErrorResponse|Gift|GiftDelivery|GiftList|GiftPersonalization|Order|OrderList|SandboxResetResult))\/|paths\/.*\/responses\/)/;
const IDS = /^paths\/.*\{(?:order|gift)_id\}.*\/parameters\/0\/schema$/;
const CURSORS = /^paths\/\/v1\/(?:orders|gifts)\/get\/parameters\/[12]\/schema$/;
const PUBLIC = /^paths\/\/v1\/(?:health|openapi\.json)\/get\//;

const answered =
  'It is what the service answers, not what it reads: a limit there protects nobody, and a client that enforced it would break when an answer grows, which version 1 may do.';
const shortByHeaders =
  'Any text is taken, because an id of any form that names nothing is the same 404; first line and headers together may have 16 KB, and longer ones are 413.';

export const exceptions: readonly Exception[] = [
  { rule: 'owasp:api4:2023-string-limit', where: ANSWERS, reason: answered },
  { rule: 'owasp:api4:2023-string-restricted', where: ANSWERS, reason: answered },
  { rule: 'owasp:api4:2023-array-limit', where: ANSWERS, reason: answered },
  { rule: 'owasp:api4:2023-integer-limit', where: ANSWERS, reason: answered },
  { rule: 'owasp:api4:2023-string-limit', where: IDS, reason: shortByHeaders },
  { rule: 'owasp:api4:2023-string-restricted', where: IDS, reason: shortByHeaders },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: CURSORS,
    reason:
      'The specification gives cursors a pattern and no length; a longer one names nothing (422), and 16 KB bound it.',
  },
  {
    rule: 'owasp:api4:2023-integer-format',
    where: /^(?:components|paths)\//,
    reason:
      'Every integer that is read has a minimum and a maximum, which say more than int32; those of answers are whole cents and counts.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    where: /^(?:components\/headers|paths\/.*\/headers)$/,
    reason:
      'Nothing is shared with other origins: a secret key belongs on a server, never in a page, so no answer carries the header.',
  },
  {
    rule: 'owasp:api2:2023-read-restricted',
    where: PUBLIC,
    reason: 'The specification has these two operations without a key; neither tells anything of an organization.',
  },
  {
    rule: 'owasp:api8:2023-define-error-responses-401',
    where: PUBLIC,
    reason: 'They take no key, so none can be wrong.',
  },
  {
    rule: 'owasp:api8:2023-define-error-validation',
    where:
      /^paths\/\/v1\/(?:health|openapi\.json|categories|orders\/\{order_id\}|gifts\/\{gift_id\}|sandbox\/gifts\/\{gift_id\}\/open|sandbox\/reset)\/(?:get|post)\/responses$/,
    reason:
      'They read no body and no query; an id that cannot be one is 404, and every other error is described as default.',
  },
  {
    rule: 'owasp:api9:2023-inventory-access',
    where: /^servers\/0$/,
    reason: 'The document is served by the one server that it describes, to whoever reaches it.',
  },
];
