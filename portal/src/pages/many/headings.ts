import { createHeadings } from '../file/match-columns.ts';

/** What a column of a file of gifts may mean. */
export const labels = {
  email: 'Email address',
  phone: 'Phone number',
  amount: 'Amount',
  category: 'Category',
  recipient_name: 'Recipient’s full name',
  first_name: 'First name',
  last_name: 'Last name',
  sender_name: 'Sender',
  message: 'Message',
  language: 'Language',
  external_id: 'Your reference',
  send_at: 'Send at',
  method: 'Method',
  occasion: 'Occasion',
  years: 'Years',
} as const;

export type ColumnName = keyof typeof labels;

export const giftHeadings = createHeadings(Object.keys(labels) as ColumnName[]);
