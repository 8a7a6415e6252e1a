import type { Environment } from '../../platform/base/environment.ts';
import { foldText } from '../../platform/database/folding.ts';
import { statement } from '../../platform/database/statement.ts';

type Owner = [organizationId: string, environment: Environment];
type OneTemplate = [...Owner, templateId: string];
type Values = [
  name: string,
  amountCents: number,
  categoryId: string,
  senderName: string | null,
  message: string | null,
  language: string | null,
  now: Date,
];

export interface TemplateRow {
  template_id: string;
  name: string;
  amount_cents: number;
  category_id: string;
  sender_name: string | null;
  message: string | null;
  language: string | null;
  changed_at: Date;
}

const columns = 'template_id, name, amount_cents, category_id, sender_name, message, language, changed_at';

export const selectTemplates = statement<Owner, TemplateRow>(
  'gift_templates.list',
  `select ${columns} from gift_templates where organization_id = $1 and environment = $2
   order by ${foldText('name')}, template_id`,
);

export const selectTemplate = statement<OneTemplate, TemplateRow>(
  'gift_templates.select',
  `select ${columns} from gift_templates where organization_id = $1 and environment = $2 and template_id = $3`,
);

/** Returns no row if the name is taken, or the environment has its most templates. */
export const insertTemplate = statement<[...OneTemplate, ...Values, mostTemplates: number], TemplateRow>(
  'gift_templates.insert',
  `insert into gift_templates (organization_id, environment, template_id, name, amount_cents, category_id, sender_name,
     message, language, created_at, changed_at)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10
   where (select count(*) from gift_templates where organization_id = $1 and environment = $2) < $11
   on conflict (organization_id, environment, name) do nothing
   returning ${columns}`,
);

/** Returns no row if nothing changes, there is no such template, or another one has the name. */
export const updateTemplate = statement<[...OneTemplate, ...Values], TemplateRow>(
  'gift_templates.update',
  `update gift_templates t set name = $4, amount_cents = $5, category_id = $6, sender_name = $7, message = $8,
     language = $9, changed_at = $10
   where organization_id = $1 and environment = $2 and template_id = $3
     and (name, amount_cents, category_id, sender_name, message, language) is distinct from ($4, $5, $6, $7, $8, $9)
     and not exists (
       select from gift_templates o
       where o.organization_id = $1 and o.environment = $2 and o.name = $4 and o.template_id <> t.template_id)
   returning ${columns}`,
);

/** The name of a rule of yearly gifts that is made with the template. */
export const selectRuleWith = statement<OneTemplate, { name: string }>(
  'gift_templates.select_rule',
  `select name from yearly_rules where organization_id = $1 and environment = $2 and template_id = $3
   order by name limit 1`,
);

export const deleteTemplate = statement<OneTemplate, { name: string }>(
  'gift_templates.delete',
  'delete from gift_templates where organization_id = $1 and environment = $2 and template_id = $3 returning name',
);
