/** Replaces an erased address; not a valid email or phone number. */
export const ERASED_ADDRESS = 'erased';

/** Replaces the fingerprint of an order with an erased address, which it would confirm: it fits every body. As SQL text. */
export const ERASED_FINGERPRINT = `\\x${'00'.repeat(32)}`;
