/** What counts as an address, for every request and on the command line; as text, since a JSON schema takes no RegExp. */

// No leading dot, no two dots in a row, a top level of two letters or more (decisions, «Orders»).
export const EMAIL_PATTERN =
  "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+\\-.]*[A-Za-z0-9_+\\-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";

export const EMAIL_MAX_LENGTH = 254;

// 7 to 15 digits, the first not 0, with spaces, dashes and parentheses anywhere between them.
export const PHONE_PATTERN = '^\\+[ ()\\-]*[1-9](?:[ ()\\-]*[0-9]){6,14}[ ()\\-]*$';
