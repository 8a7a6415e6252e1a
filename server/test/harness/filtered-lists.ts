/**
 * Makes the parameters of every filtered list of `/v1`, which stops after some rows.
 *
 * @param range the caller, the range of ids and the limit
 */
export function filteredLists(
  range: readonly unknown[],
  orderId: string | undefined,
): Record<string, readonly unknown[]> {
  const metadata = '{"team": "unknown"}';
  const ofGifts = [...range, null, null, 'unknown', null, 'unknown', orderId, metadata, 100];
  const ofOrders = [...range, false, null, 'unknown', null, null, metadata, 50];
  const filtered = ['descending', 'ascending'].flatMap((direction) => [
    ...['of_order', 'named', 'of_recipient', 'with_metadata', 'of_category', 'of_status', 'of_method', 'all'].map(
      (name) => [`gifts.filter_${name}_${direction}`, ofGifts],
    ),
    ...['named', 'processing', 'of_recipient', 'with_metadata', 'of_category', 'of_method', 'all'].map((name) => [
      `orders.filter_${name}_${direction}`,
      ofOrders,
    ]),
  ]);
  return Object.fromEntries(filtered);
}
