import type { CardFace, IssuedCard } from '../issuer/port.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** card */
    card: true;
  }
}

/** The card's own columns; null if it is simulated. */
export interface IssuedCardColumns {
  issuer_id: string | null;
  card_state: IssuedCard['state'] | 'claiming' | 'refused' | null;
  provider_id: string | null;
  face: CardFace | null;
  sealed: string | null;
}

/** Of the card `k`. */
export const issuedCardColumns = 'k.issuer_id, k.state as card_state, k.provider_id, k.face, k.sealed';

export const issuedCard = (row: IssuedCardColumns): IssuedCard | undefined =>
  row.issuer_id === null || row.card_state === null || row.card_state === 'claiming' || row.card_state === 'refused'
    ? undefined
    : {
        issuerId: row.issuer_id,
        providerId: row.provider_id,
        state: row.card_state,
        face: row.face,
        sealed: row.sealed,
      };
