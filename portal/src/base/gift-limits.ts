/** Of one gift; the server checks them. */
export const LEAST_CENTS = 1_000;
export const MOST_CENTS = 50_000;
export const LONGEST_MESSAGE = 500;
