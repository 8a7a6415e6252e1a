import { type GiftParams, type List, listOf } from './list.ts';
import type {
  CancelInput,
  DeliveryOutcome,
  Gift,
  RedirectInput,
  SandboxResetResult,
  ScheduleInput,
} from './resources.ts';
import type { ActOptions, Answer, CallOptions, Connection, Expand, Expanded, GiftParts } from './send.ts';

/** Gifts. */
export const giftsOf = (connection: Connection) => ({
  /** Renews the link of a link gift if the link has expired. @throws InvalidRequestError `resource_missing` */
  retrieve: <Parts extends GiftParts = []>(
    giftId: string,
    options?: CallOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('retrieveGift', { ids: [giftId] }, options),
  /** Newest purchase first. Expired links are not renewed. */
  list: <Parts extends GiftParts = []>(
    params?: GiftParams<Parts>,
    options?: CallOptions,
  ): List<Expanded<Gift, Parts>> =>
    listOf(connection, { id: 'listGifts', idOf: ({ gift_id }: Expanded<Gift, Parts>) => gift_id }, params, options),
  /** Sends a failed gift to another address, once for all attempts. @throws `gift_delivery_not_updatable` … */
  redirect: <Parts extends GiftParts = []>(
    giftId: string,
    body: RedirectInput,
    options?: ActOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('redirectGift', { ids: [giftId], body }, options),
  /**
   * Ends all links of an unclaimed gift. The answer has the new link of a link gift; an email or phone gift is sent
   * again. All attempts carry one `Idempotency-Key`, so the link is replaced once. It counts as a redirect.
   * @throws InvalidRequestError `gift_already_redeemed`, `gift_on_hold`, `gift_resend_limit_reached`
   */
  replaceLink: <Parts extends GiftParts = []>(
    giftId: string,
    options?: ActOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('replaceGiftLink', { ids: [giftId] }, options),
  /**
   * Sends an unclaimed email or phone gift once more to its address; earlier links stay valid. All attempts carry one
   * `Idempotency-Key`, so it is sent again once. It counts as a redirect.
   * @throws InvalidRequestError `gift_already_redeemed`, `gift_on_hold`, `gift_resend_limit_reached`
   */
  resend: <Parts extends GiftParts = []>(
    giftId: string,
    options?: ActOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('resendGift', { ids: [giftId] }, options),
  /** Changes when a waiting gift is sent; a time that has come sends it now. @throws InvalidRequestError `gift_not_scheduled` */
  schedule: <Parts extends GiftParts = []>(
    giftId: string,
    body: ScheduleInput,
    options?: ActOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('scheduleGift', { ids: [giftId], body }, options),
  /**
   * Takes an unclaimed gift back and returns its amount to the balance. Canceling again changes nothing.
   * @throws InvalidRequestError `gift_already_redeemed`
   */
  cancel: <Parts extends GiftParts = []>(
    giftId: string,
    body: CancelInput = {},
    options?: ActOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('cancelGift', { ids: [giftId], body }, options),
});

/** Simulations. A live key gets `sandbox_endpoint_only`. */
export const sandboxOf = (connection: Connection) => ({
  /** Settles a pending delivery; the default outcome is `delivered`. @throws `gift_already_delivered` … */
  deliver: <Parts extends GiftParts = []>(
    giftId: string,
    body: DeliveryOutcome = {},
    options?: CallOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> =>
    connection.expanded('simulateDelivery', { ids: [giftId], body }, options),
  /** Marks the gift as opened, once. */
  open: <Parts extends GiftParts = []>(
    giftId: string,
    options?: CallOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('simulateOpen', { ids: [giftId] }, options),
  /** Redeems the gift onto a card. @throws InvalidRequestError `gift_already_redeemed` */
  claim: <Parts extends GiftParts = []>(
    giftId: string,
    options?: CallOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('simulateClaim', { ids: [giftId] }, options),
  /** Spends what is left on the gift's card. @throws InvalidRequestError `gift_not_claimed` */
  spend: <Parts extends GiftParts = []>(
    giftId: string,
    options?: CallOptions & Expand<Parts>,
  ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('simulateSpend', { ids: [giftId] }, options),
  /**
   * Deletes every order, gift and cent of the sandbox, for good; keys stay. A large sandbox takes up to half a
   * minute, so one attempt may take all of `timeoutMs` (60,000 by default).
   */
  reset: (options?: CallOptions): Promise<Answer<SandboxResetResult>> =>
    connection.call('resetSandbox', { tryTimeoutMs: Number.POSITIVE_INFINITY }, options),
});
