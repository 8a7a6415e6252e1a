import { maskAddress } from '../../../platform/base/mask-address.ts';

/** Replaces an erased address; not a valid email or phone number. */
export const ERASED_ADDRESS = 'erased';

/** Replaces the fingerprint of an order with an erased address, which it would confirm: it fits every body. As SQL text. */
export const ERASED_FINGERPRINT = `\\x${'00'.repeat(32)}`;

/** Masks the address of a gift or of its message; null if it has none, or none any more. */
export const maskGiftAddress = (address: string | null): string | null =>
  address === null || address === ERASED_ADDRESS ? null : maskAddress(address);
