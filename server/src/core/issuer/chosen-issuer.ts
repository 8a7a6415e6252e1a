import { shownCategory } from '../catalog/any-category.ts';

/** An issuer's row. */
export interface ChosenIssuer {
  issuer_id: string;
  kind: string;
  /** Encrypted. */
  settings: string;
}

/** Columns of `joinIssuer`; all null if the card is or will be simulated. */
export interface IssuerColumns {
  issuer_id: string | null;
  issuer_kind: string | null;
  issuer_settings: string | null;
}

export const issuerColumns = 'i.issuer_id, i.kind as issuer_kind, i.settings as issuer_settings';

/**
 * Joins the card `k` of the gift `g`, if it is not simulated, and the issuer `i`: that of the card, or the choice for a live
 * gift that is not claimed.
 */
export const joinIssuer = `left join cards k
     on k.organization_id = g.organization_id and k.environment = g.environment and k.gift_id = g.gift_id
   left join lateral (
     select * from issuers
     where organization_id = g.organization_id and case
       when k.state <> 'refused' then issuer_id = k.issuer_id
       else g.environment = 'live' and g.claimed_at is null and removed_at is null
         and (category_id is null or category_id = ${shownCategory('g')}) end
     order by category_id nulls last limit 1
   ) i on true`;

export const chosenIssuer = ({ issuer_id, issuer_kind, issuer_settings }: IssuerColumns): ChosenIssuer | null =>
  issuer_id === null || issuer_kind === null || issuer_settings === null
    ? null
    : { issuer_id, kind: issuer_kind, settings: issuer_settings };
