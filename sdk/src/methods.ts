// Generated from openapi.json by `npm run generate`.
import type {
  Balance,
  BalanceEntry,
  CancelInput,
  Category,
  Contact,
  ContactInput,
  DeletedContact,
  DeletedWebhookEndpoint,
  DeliveryOutcome,
  LedgerCheckpoint,
  LedgerStatement,
  OrderInput,
  RedirectInput,
  SandboxResetResult,
  ScheduleInput,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEnableInput,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointInput,
  WebhookEndpointWithSecret,
  WebhookResendInput,
  WebhookResendResult,
  WebhookRotateInput,
} from './bodies.ts';
import {
  type ContactParams,
  type EntryParams,
  type GiftParams,
  type List,
  listOf,
  type OrderParams,
  type PageParams,
} from './list.ts';
import type { Gift, Order } from './resources.ts';
import type { ActOptions, Answer, CallOptions, Connection, Expand, Expanded, GiftParts } from './send.ts';

/** The methods of each resource that send an operation and return its answer. */
export const methodsOf = {
  /** The categories of gifts. */
  categories: (connection: Connection) => ({
    /** Everything that can be given, in one answer. */
    list: (options?: CallOptions): List<Category> =>
      listOf(connection, { id: 'listCategories', key: 'id', walked: {} }, {}, options),
  }),
  /** Buy gifts: one debit per order, never twice. */
  orders: (connection: Connection) => ({
    /**
     * Buys 1 to 10 gifts, paid from the organization’s balance in one debit, and sends the email and phone gifts.
     * Either everything happens or nothing. After a time-out or a dropped connection, retry with the same
     * `Idempotency-Key` and body: you get the placed order and are never charged twice. An error does not consume the
     * key, so you can fix the body and retry with the same key. In the sandbox the recipient’s address steers a gift
     * or the whole order. All attempts carry one `Idempotency-Key`, so the order is placed once. After a crash, or an
     * error with `outcomeUnknown`, call it again with the same key and body to get the placed order. With a `store`
     * the order is kept before the first attempt, until the service places or refuses it; to give it up, call the
     * store’s `forget`.
     * @throws ApiError `insufficient_balance`, `external_id_taken`, `organization_not_configured`
     */
    create: <Parts extends GiftParts = []>(
      body: OrderInput,
      options?: ActOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Order, Parts>>> => connection.expanded('createOrder', { body }, options),
    /**
     * All paid orders of the organization in this environment, most recent first. A client that polls with
     * `ending_before` never misses an order.
     * @throws ApiError `cursor_invalid`
     */
    list: <Parts extends GiftParts = []>(
      params?: OrderParams<Parts>,
      options?: CallOptions,
    ): List<Expanded<Order, Parts>> => listOf(connection, { id: 'listOrders', key: 'order_id' }, params, options),
    /**
     * Takes every unclaimed gift of the order back in one step, as when each is canceled. Gifts that a `processing`
     * order has not created yet are canceled too, and the order is `processed`. Claimed gifts stay as they are.
     * Canceling it again changes nothing.
     * @throws ApiError `resource_missing`, `gift_already_redeemed`
     */
    cancel: <Parts extends GiftParts = []>(
      orderId: string,
      body: CancelInput = {},
      options?: ActOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Order, Parts>>> => connection.expanded('cancelOrder', { ids: [orderId], body }, options),
    /**
     * One order with its gifts, in submission order.
     * @throws ApiError `resource_missing`
     */
    retrieve: <Parts extends GiftParts = []>(
      orderId: string,
      options?: CallOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Order, Parts>>> => connection.expanded('retrieveOrder', { ids: [orderId] }, options),
  }),
  /** The status of each gift. */
  gifts: (connection: Connection) => ({
    /**
     * All gifts of the organization in this environment, most recent purchase first. While an order is `processing`,
     * its later gifts are not there yet; they come at the place of their purchase, so that a client that polls with
     * `ending_before` may miss them: poll the orders. Lists also show expired redemption links; retrieve a single gift
     * to renew its link.
     * @throws ApiError `cursor_invalid`
     */
    list: <Parts extends GiftParts = []>(
      params?: GiftParams<Parts>,
      options?: CallOptions,
    ): List<Expanded<Gift, Parts>> => listOf(connection, { id: 'listGifts', key: 'gift_id' }, params, options),
    /**
     * One gift and its status. An expired link of a link gift is renewed.
     * @throws ApiError `resource_missing`
     */
    retrieve: <Parts extends GiftParts = []>(
      giftId: string,
      options?: CallOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('retrieveGift', { ids: [giftId] }, options),
    /**
     * Sends a gift whose delivery failed to a different address, or changes the address of a gift that is not sent
     * yet. Links in earlier messages stop working, because the wrong person may have them. A gift can be redirected
     * five times, unless the operator has set another number. The request can be repeated: with the same
     * `Idempotency-Key`, or to the address to which a message is under way since a redirect, it changes nothing. In
     * the sandbox the new address steers the gift, as in an order.
     * @throws ApiError `insufficient_balance`, `resource_missing`, `gift_resend_limit_reached`,
     * `gift_delivery_not_updatable`
     */
    redirect: <Parts extends GiftParts = []>(
      giftId: string,
      body: RedirectInput,
      options?: ActOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('redirectGift', { ids: [giftId], body }, options),
    /**
     * Ends all links of an unclaimed gift, because someone else may have them. The answer has the new link of a link
     * gift; an email or phone gift is sent again to its address. It counts as a redirect. Each call replaces the link
     * again.
     * @throws ApiError `resource_missing`, `gift_already_redeemed`, `gift_resend_limit_reached`,
     * `gift_delivery_not_updatable`, `gift_canceled`, `gift_scheduled`, `gift_on_hold`
     */
    replaceLink: <Parts extends GiftParts = []>(
      giftId: string,
      options?: ActOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('replaceGiftLink', { ids: [giftId] }, options),
    /**
     * Sends an unclaimed email or phone gift once more to its address. Earlier links stay valid. It counts as a
     * redirect. In the sandbox the address steers the delivery.
     * @throws ApiError `resource_missing`, `gift_already_redeemed`, `gift_resend_limit_reached`,
     * `gift_delivery_not_updatable`, `gift_canceled`, `gift_scheduled`, `gift_on_hold`
     */
    resend: <Parts extends GiftParts = []>(
      giftId: string,
      options?: ActOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('resendGift', { ids: [giftId] }, options),
    /**
     * Takes an unclaimed gift back, also one on hold. Its links end, its message is not sent if it still waits, and
     * its amount returns to the balance. Canceling it again changes nothing. It cannot be undone.
     * @throws ApiError `resource_missing`, `gift_already_redeemed`
     */
    cancel: <Parts extends GiftParts = []>(
      giftId: string,
      body: CancelInput = {},
      options?: ActOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('cancelGift', { ids: [giftId], body }, options),
    /**
     * Changes the time of a gift that was ordered with `send_at`, until it is sent. A time that has come sends it at
     * once. The days until it expires and until reminders count from the new time.
     * @throws ApiError `resource_missing`, `gift_already_redeemed`, `gift_canceled`, `gift_not_scheduled`,
     * `gift_on_hold`
     */
    schedule: <Parts extends GiftParts = []>(
      giftId: string,
      body: ScheduleInput,
      options?: ActOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('scheduleGift', { ids: [giftId], body }, options),
  }),
  /** The people to whom you send gifts, with tags, a birthday and a work anniversary. */
  contacts: (connection: Connection) => ({
    /**
     * All contacts of the organization in this environment, most recently added first.
     * @throws ApiError `cursor_invalid`
     */
    list: (params?: ContactParams, options?: CallOptions): List<Contact> =>
      listOf(connection, { id: 'listContacts', key: 'contact_id' }, params, options),
    /**
     * Changes the contact that has this `external_id`, or else this address, and creates it otherwise. A field that is
     * left out stays as it is; `null` removes it, and `[]` all tags. Repeating the request changes nothing. Gifts that
     * are ordered and not sent go to a new address.
     */
    save: (body: ContactInput, options?: CallOptions): Promise<Answer<Contact>> =>
      connection.call('saveContact', { body }, options),
    /**
     * One contact, with its address, tags and days.
     * @throws ApiError `resource_missing`
     */
    retrieve: (contactId: string, options?: CallOptions): Promise<Answer<Contact>> =>
      connection.call('retrieveContact', { ids: [contactId] }, options),
    /**
     * Deletes the contact. What is ordered for it and not sent is canceled, and open requests are withdrawn; the
     * answer names them. Gifts that were sent stay as they are. It is sent once.
     * @throws ApiError `resource_missing`
     */
    delete: (
      contactId: string,
      params: {
        /** `keep` leaves the gifts that are not sent, and the requests. The default is `cancel`. */
        unsent_gifts?: 'cancel' | 'keep' | undefined;
      } = {},
      options?: CallOptions,
    ): Promise<Answer<DeletedContact>> =>
      connection.call('deleteContact', { ids: [contactId], query: params }, options),
  }),
  /** What the organization can spend, and each change of it. */
  balance: (connection: Connection) => ({
    /** What the organization can spend in this environment, and the latest change. */
    retrieve: (options?: CallOptions): Promise<Answer<Balance>> => connection.call('retrieveBalance', {}, options),
    /**
     * All entries of the ledger in this environment, most recent first, each with the balance after it.
     * @throws ApiError `cursor_invalid`
     */
    entries: (params?: EntryParams, options?: CallOptions): List<BalanceEntry> =>
      listOf(connection, { id: 'listBalanceEntries', key: 'entry_id' }, params, options),
  }),
  /** Proofs that no entry of the ledger was changed or removed. */
  ledger: (connection: Connection) => ({
    /**
     * All sealed entries of a month with opening and closing balance, signed. `verifyStatement` of the SDK and `bestow
     * ledger verify-statement` check it without the service.
     * @param month A month in UTC.
     */
    statement: (month: string, options?: CallOptions): Promise<Answer<LedgerStatement>> =>
      connection.call('retrieveLedgerStatement', { ids: [month] }, options),
    /**
     * The size and root of the tree of all sealed entries, signed. Keep one: a later proof of consistency shows that
     * nothing before it was rewritten.
     */
    checkpoint: (options?: CallOptions): Promise<Answer<LedgerCheckpoint>> =>
      connection.call('retrieveLedgerCheckpoint', {}, options),
  }),
  /** Simulate what a recipient does. Sandbox keys only. */
  sandbox: (connection: Connection) => ({
    /**
     * Settles the pending delivery of an email or phone gift as delivered (the default, also without a body) or
     * failed. A failed gift can be redirected. It is sent once.
     * @throws ApiError `sandbox_endpoint_only`, `resource_missing`, `gift_already_delivered`,
     * `gift_delivery_not_simulatable`
     */
    deliver: <Parts extends GiftParts = []>(
      giftId: string,
      body: DeliveryOutcome = {},
      options?: CallOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> =>
      connection.expanded('simulateDelivery', { ids: [giftId], body }, options),
    /**
     * Stamps the gift as opened, once. A claimed gift still shows `claimed`.
     * @throws ApiError `sandbox_endpoint_only`, `resource_missing`, `gift_already_redeemed`,
     * `gift_delivery_not_simulatable`
     */
    open: <Parts extends GiftParts = []>(
      giftId: string,
      options?: CallOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('simulateOpen', { ids: [giftId] }, options),
    /**
     * Redeems the gift onto a card, once. This also opens an unopened gift. It is sent once.
     * @throws ApiError `sandbox_endpoint_only`, `resource_missing`, `gift_already_redeemed`
     */
    claim: <Parts extends GiftParts = []>(
      giftId: string,
      options?: CallOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('simulateClaim', { ids: [giftId] }, options),
    /**
     * Spends the rest of the gift’s card. Repeating it changes nothing.
     * @throws ApiError `sandbox_endpoint_only`, `resource_missing`, `gift_not_claimed`
     */
    spend: <Parts extends GiftParts = []>(
      giftId: string,
      options?: CallOptions & Expand<Parts>,
    ): Promise<Answer<Expanded<Gift, Parts>>> => connection.expanded('simulateSpend', { ids: [giftId] }, options),
    /**
     * Deletes every order, gift, balance and ledger entry of the organization’s sandbox, and with them the idempotency
     * keys. API keys stay. Add funds before ordering again. It cannot be undone, and a second call deletes what has
     * come since. It is sent once. One attempt may take all of `timeoutMs`.
     * @throws ApiError `sandbox_endpoint_only`
     */
    reset: (options?: CallOptions): Promise<Answer<SandboxResetResult>> =>
      connection.call('resetSandbox', { tryTimeoutMs: Number.POSITIVE_INFINITY }, options),
  }),
  /** Addresses that events are pushed to, after Standard Webhooks 1.0. An event that is not accepted is tried ten times over 75 hours. */
  webhookEndpoints: (connection: Connection) => ({
    /**
     * Pushes the events from now on to an address, at most ten addresses in each environment. The answer has the
     * secret that signs the pushes; a retry with the same key has the same one.
     * @throws ApiError `resource_missing`, `webhook_endpoint_limit_reached`
     */
    create: (body: WebhookEndpointInput, options?: ActOptions): Promise<Answer<WebhookEndpointWithSecret>> =>
      connection.call('createWebhookEndpoint', { body }, options),
    /** All endpoints of the environment, the first one added first. */
    list: (options?: CallOptions): List<WebhookEndpoint> =>
      listOf(connection, { id: 'listWebhookEndpoints', key: 'endpoint_id', walked: {} }, {}, options),
    /**
     * One endpoint, and whether it accepts its events.
     * @throws ApiError `resource_missing`
     */
    retrieve: (endpointId: string, options?: CallOptions): Promise<Answer<WebhookEndpoint>> =>
      connection.call('retrieveWebhookEndpoint', { ids: [endpointId] }, options),
    /**
     * Changes the given fields. The next push is as they say. `status` switches the endpoint off, and on again without
     * a loss.
     * @throws ApiError `resource_missing`
     */
    update: (
      endpointId: string,
      body: WebhookEndpointChange,
      options?: CallOptions,
    ): Promise<Answer<WebhookEndpoint>> =>
      connection.call('updateWebhookEndpoint', { ids: [endpointId], body }, options),
    /**
     * Removes the endpoint and what is known of its deliveries. The events stay in the feed. It is sent once.
     * @throws ApiError `resource_missing`
     */
    delete: (endpointId: string, options?: CallOptions): Promise<Answer<DeletedWebhookEndpoint>> =>
      connection.call('deleteWebhookEndpoint', { ids: [endpointId] }, options),
    /**
     * Signs each push with a new secret, and with the earlier one too for 24 hours or as long as you say. Earlier
     * rotations keep what they said, up to 5 secrets at once. An overlap of 0 ends all earlier secrets at once.
     * @throws ApiError `resource_missing`
     */
    rotateSecret: (
      endpointId: string,
      body: WebhookRotateInput = {},
      options?: ActOptions,
    ): Promise<Answer<WebhookEndpointWithSecret>> =>
      connection.call('rotateWebhookSecret', { ids: [endpointId], body }, options),
    /**
     * Continues where the endpoint stopped: no event of the time in between is lost, as long as the feed keeps it. Or
     * pushes every event from a sequence on again.
     * @throws ApiError `resource_missing`
     */
    enable: (
      endpointId: string,
      body: WebhookEnableInput = {},
      options?: ActOptions,
    ): Promise<Answer<WebhookEndpoint>> =>
      connection.call('enableWebhookEndpoint', { ids: [endpointId], body }, options),
    /**
     * Pushes an event of the type `webhook.test` once, which is not in the feed, and returns the answer. It works for
     * a disabled endpoint too, and changes nothing. It is sent once.
     * @throws ApiError `resource_missing`
     */
    test: (endpointId: string, options?: CallOptions): Promise<Answer<WebhookAttempt>> =>
      connection.call('testWebhookEndpoint', { ids: [endpointId] }, options),
    /**
     * Each event that was pushed to the endpoint in the last 30 days, with every answer.
     * @throws ApiError `resource_missing`, `cursor_invalid`
     */
    deliveries: (endpointId: string, params?: PageParams, options?: CallOptions): List<WebhookDelivery> =>
      listOf(connection, { id: 'listWebhookDeliveries', ids: [endpointId], key: 'event_id' }, params, options),
    /**
     * Sends a delivery again, also one that was accepted, with ten tries.
     * @throws ApiError `resource_missing`
     */
    resendDelivery: (endpointId: string, eventId: string, options?: ActOptions): Promise<Answer<WebhookResendResult>> =>
      connection.call('resendWebhookDelivery', { ids: [endpointId, eventId] }, options),
    /**
     * Sends all failed deliveries again, or all deliveries of a time on.
     * @throws ApiError `resource_missing`
     */
    resendDeliveries: (
      endpointId: string,
      body: WebhookResendInput,
      options?: ActOptions,
    ): Promise<Answer<WebhookResendResult>> =>
      connection.call('resendWebhookDeliveries', { ids: [endpointId], body }, options),
  }),
};
