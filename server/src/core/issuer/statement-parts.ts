/**
 * Update of issuers `i`: when their admins were warned that the codes in stock run out; null: they are warned at the next time.
 *
 * @param at parameter of the time, or `null`
 */
export const setStockWarned = (at: '$3' | 'null') => `update issuers i set low_stock_warned_at = ${at}`;
