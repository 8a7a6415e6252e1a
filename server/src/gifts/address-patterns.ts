// The address formats, for requests and for the command line. Strings, because a JSON schema takes no RegExp.

// No leading dot, no consecutive dots, a top-level domain of at least two letters (docs/decisions.md#orders).
export const EMAIL_PATTERN =
  "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+\\-.]*[A-Za-z0-9_+\\-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";

export const EMAIL_MAX_LENGTH = 254;

// 7 to 15 digits, the first not 0; spaces, dashes and parentheses are allowed between them.
export const PHONE_PATTERN = '^\\+[ ()\\-]*[1-9](?:[ ()\\-]*[0-9]){6,14}[ ()\\-]*$';
