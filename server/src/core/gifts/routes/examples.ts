import type { GiftBody } from '../gift/schema.ts';

export const giftExample: GiftBody = {
  gift_id: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  amount: 2500,
  category: 'coffee',
  delivery: { method: 'email', status: 'sent', email: 'delivered@sandbox.gift.test' },
  personalization: { sender_name: 'The Analytical Engine team', recipient_name: 'Ada' },
};

export const linkGiftExample: GiftBody = {
  gift_id: 'gift_01k0fxw4mzewcrfkt0n4xg7y8v',
  amount: 5000,
  category: 'books',
  delivery: {
    method: 'link',
    status: 'sent',
    link: 'http://localhost:3000/g/AQGLDf4lP3cyqV8HbSwKZPUBiw3-JT93Z7Fy2OHg9aQAAQGYEtpDAPqLwT0mWcVnR5YzUjKbXtE',
  },
  personalization: { sender_name: 'The Analytical Engine team' },
};

export const canceledGiftExample: GiftBody = {
  ...giftExample,
  cancellation: { canceled_at: '2026-11-24T12:00:00.000Z', reason: 'Ordered twice', refunded: 2500 },
};

export const scheduledGiftExample: GiftBody = { ...giftExample, scheduled_for: '2026-12-31T17:00:00.000Z' };
