import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import type { ChosenIssuer } from '../issuer/chosen-issuer.ts';

type One = [organizationId: string, environment: Environment, giftId: string];

interface DueCard extends ChosenIssuer {
  organization_id: string;
  environment: Environment;
  gift_id: string;
  provider_id: string;
  amount_cents: number;
  /** Null if the card is closed. */
  left_cents: number | null;
}

export const selectCardsToForget = statementOnEachShard<[now: Date, limit: number], DueCard>(
  'cards.list_to_forget',
  'every minute looks at every organization',
  `select k.organization_id, k.environment, k.gift_id, k.provider_id, g.amount_cents,
     case when k.state <> 'closed' then g.amount_cents - g.spent_cents end as left_cents, i.issuer_id, i.kind, i.settings
   from cards k join gifts g using (organization_id, environment, gift_id)
   join issuers i on i.organization_id = k.organization_id and i.issuer_id = k.issuer_id
   where k.erase_at <= $1 and k.provider_id is not null
   order by k.erase_at, k.gift_id limit $2`,
);

/** Null: nothing is left to erase. */
export const planForgetting = statement<[...One, eraseAt: Date | null]>(
  'cards.plan_forgetting',
  `update cards set erase_at = $4 where organization_id = $1 and environment = $2 and gift_id = $3`,
);
