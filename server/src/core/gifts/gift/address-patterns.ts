// The address formats, for requests and for the command line. Strings, because a JSON schema takes no RegExp.

// A local part without quotes (RFC 5321, `Dot-string`) of at most 64 characters, and a domain of labels of at most 63; the
// top level has two letters or more, or is Punycode (docs/decisions.md#orders).
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
const TOP_LEVEL = '(?:[A-Za-z]{2,63}|[Xx][Nn]--(?:[A-Za-z0-9\\-]{0,58}[A-Za-z0-9]))';

export const EMAIL_PATTERN = `^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${TOP_LEVEL}$`;

export const EMAIL_MAX_LENGTH = 254;

// 7 to 15 digits, the first not 0; spaces, dashes and parentheses are allowed between them.
export const PHONE_PATTERN = '^\\+[ ()\\-]*[1-9](?:[ ()\\-]*[0-9]){6,14}[ ()\\-]*$';
