import { Bestow } from 'bestow-sdk';

/** Calls each address, and tells what became of an order and of a read. */
export default {
  async fetch(request) {
    const { addresses } = await request.json();
    const told = await Promise.all(
      addresses.map(async (baseUrl) => {
        const pauses = [];
        const bestow = new Bestow('key', { baseUrl, onAttempt: ({ pauseMs = 0 }) => void pauses.push(pauseMs) });
        const [order, balance] = await Promise.allSettled([
          bestow.orders.create({ gifts: [] }),
          bestow.balance.retrieve(),
        ]);
        const { name, outcomeUnknown } = order.reason ?? {};
        return {
          name,
          outcomeUnknown,
          pauseMs: pauses.reduce((sum, ms) => sum + ms, 0),
          available: balance.value?.available,
        };
      }),
    );
    return Response.json(told);
  },
};
