import { type Static, Type } from 'typebox';
import { GiftInput, giftLanguage, PersonalizationInput } from '../../core/gifts/gift/schema.ts';
import { Cents, Name, nameRule, nullable, Time } from '../../platform/api/schema.ts';

declare module '../../platform/base/ids.ts' {
  interface IdPrefixes {
    /** template of gifts */
    tpl: true;
  }
}

const fields = {
  name: Type.String({
    ...Name,
    maxLength: 60,
    'x-rule': nameRule(60),
  }),
  amount: GiftInput.properties.amount,
  category: GiftInput.properties.category,
  sender_name: nullable(PersonalizationInput.properties.sender_name),
  message: nullable(PersonalizationInput.properties.message),
  language: nullable(giftLanguage),
};

export const GiftTemplateInput = Type.Object(fields, { additionalProperties: false });
export type GiftTemplateInput = Static<typeof GiftTemplateInput>;

export const GiftTemplate = Type.Object(
  {
    template_id: Type.String(),
    name: Type.String(),
    amount: Cents,
    category: Type.String(),
    sender_name: nullable(Type.String()),
    message: nullable(Type.String()),
    language: nullable(Type.String()),
    changed_at: Time,
  },
  { $id: 'GiftTemplate' },
);
export type GiftTemplate = Static<typeof GiftTemplate>;

export const GiftTemplates = Type.Object({
  data: Type.Array(GiftTemplate, { description: 'By their names.' }),
  most: Type.Integer({ description: 'The limit.' }),
});
