import type { GiftBody } from './schema.ts';

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
