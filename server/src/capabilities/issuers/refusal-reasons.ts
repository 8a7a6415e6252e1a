/** Shown to the recipient if the issuer refuses what they entered. */
export const NOT_ACCEPTED = 'The issuer did not accept these details. Please check them.';

/** Shown if the issuer may make the card later. */
export const NOT_NOW = 'Your gift cannot be claimed right now. It is safe: please come back later.';

/** Shown if other details would not help. */
export const NOT_POSSIBLE = 'The issuer cannot make this gift for you. Please ask the sender for another gift.';

/** Shown if the recipient has to choose first. */
export const NOT_CHOSEN = 'Please check your choice, and then claim your gift.';

/** Shown if the issuer does not make what the recipient chose. */
export const NOT_OFFERED =
  'This is not available right now. Your gift is safe: please choose something else, or come back later.';
