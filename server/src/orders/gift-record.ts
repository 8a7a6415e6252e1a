/** A gift's row as JSON for PostgreSQL, when an order is placed or completed. */
export interface GiftRecord {
  gift_id: string;
  position: number;
  delivery_id: string | null;
  amount_cents: number;
  category_id: string;
  method: 'email' | 'phone' | 'link';
  address: string | null;
  delivery_state: 'pending' | 'delivered' | 'failed' | null;
  recipient_name: string | null;
  sender_name: string;
  link_version: number;
  link_expires_at: Date;
  opened_at: Date | null;
  claimed_at: Date | null;
  card_id: string | null;
  spent_cents: number;
}

/** The same columns for `json_to_recordset`. */
export const giftRecordColumns = `gift_id uuid, position smallint, delivery_id uuid, amount_cents integer, category_id text,
  method delivery_method, address text, delivery_state delivery_state, recipient_name text, sender_name text,
  link_version smallint, link_expires_at timestamptz, opened_at timestamptz, claimed_at timestamptz, card_id uuid,
  spent_cents integer`;

export const giftRecordNames = `gift_id, position, delivery_id, amount_cents, category_id, method, address, delivery_state,
  recipient_name, sender_name, link_version, link_expires_at, opened_at, claimed_at, card_id, spent_cents`;
