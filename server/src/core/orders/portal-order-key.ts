/** The idempotency key of an order that a form of the portal places. @param formId UUID */
export const portalOrderKey = (formId: string): string => `portal-${formId}`;
