// Parts of statements that a hold stops.

/**
 * CTE: a row unless the organization's unclaimed gifts are on hold. Its lock makes a new hold wait for this transaction, so
 * nothing that read the row commits after the hold.
 */
export const unheldOrganization = `unheld_organization as materialized (
     select from organizations where organization_id = $1 and gifts_held_at is null for share
   )`;

/** Condition of a change that must wait until a claim has its card. */
export const isNotClaiming = 'claiming_at is null';

/** Condition of an update that a hold forbids. */
export const isNotHeld = 'held_at is null and (claimed_at is not null or exists (select from unheld_organization))';

/** Column: what holds the gift; null if nothing does. The gift is `g`, the organization `$1`. */
export const heldBy = `case when g.canceled_at is not null then null when g.held_at is not null then 'gift'
     when g.claimed_at is null and (select gifts_held_at from organizations where organization_id = $1) is not null
       then 'organization' end as held_by`;

/** Condition: something holds the gift. @param g table or alias @param organizationId expression */
export const isOnHold = (g: string, organizationId: string) =>
  `(${g}.held_at is not null or ${g}.claimed_at is null
         and (select gifts_held_at from organizations where organizations.organization_id = ${organizationId}) is not null)`;

/** Condition: all gifts of the organization `$1` are on hold. */
export const holdsAll = '(select gifts_held_at from organizations where organization_id = $1) is not null';

export type HeldBy = 'gift' | 'organization' | null;
