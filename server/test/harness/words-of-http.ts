/** What a model that calls tools cannot do. */
export const WORDS_OF_HTTP =
  /\b(?:GET|POST|PUT|PATCH|DELETE|HTTP|CSV|SDK)\b|\b(?:[Hh]eader|[Ee]ndpoint|[Qq]uery|[Bb]ody|[Cc]url|[Rr]etrieve)s?\b|\/v1|Accept:|Idempotency-Key|metadata\[|%2B|Authorization|Retry-After/;
