import { SelectField } from '../../ui/field.tsx';
import { type GiftTemplate, useTemplates } from './template.ts';

interface TemplateChoiceProps {
  /** The chosen template’s id, or empty. */
  value: string;
  onChoose: (chosen: { id: string; template: GiftTemplate | undefined; earlier: GiftTemplate | undefined }) => void;
}

/** Chooses a template that fills a form; nothing if there are none. */
export function TemplateChoice({ value, onChoose }: TemplateChoiceProps) {
  const templates = useTemplates().data?.data ?? [];
  if (templates.length === 0) return null;
  const find = (id: string) => templates.find(({ template_id }) => template_id === id);
  return (
    <SelectField
      label="Template"
      value={find(value) === undefined ? '' : value}
      onChange={(id) => onChoose({ id, template: find(id), earlier: find(value) })}
      options={[
        { value: '', label: 'None' },
        ...templates.map(({ template_id, name }) => ({ value: template_id, label: name })),
      ]}
      hint="Fills the fields below. What you have changed stays."
    />
  );
}
