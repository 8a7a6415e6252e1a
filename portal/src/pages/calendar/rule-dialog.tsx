import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { unsentOfRule } from '../../api/unsent-gifts.ts';
import { useCategories } from '../../api/use-categories.ts';
import { useScope } from '../../api/use-scope.ts';
import { useRules } from '../../api/yearly-rules.ts';
import { restoreTexts, useDraft, useDraftKey } from '../../layout/drafts.ts';
import { ANY_CATEGORY } from '../../ui/category.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { endings, UnsentChoice } from '../../ui/unsent-choice.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useTemplates } from '../templates/template.ts';
import { type TemplateToSave, templateBodyOf } from '../templates/template-fields.tsx';
import type { RuleToSave, YearlyRule } from './calendar.ts';
import { type RuleDraft, ruleBodyOf, ruleDraftOf, templateOf } from './rule-draft.ts';
import { GiftFields, HowFields, WhoFields } from './rule-fields.tsx';

interface RuleDialogProps {
  /** Undefined for a new one. */
  rule?: YearlyRule;
  onClose: () => void;
}

export const RuleDialog = ({ rule, onClose }: RuleDialogProps) =>
  rule === undefined ? <NewRule onClose={onClose} /> : <KnownRule rule={rule} onClose={onClose} />;

/** A new rule is a draft of the tab: it is there again after a look at another page. */
function NewRule({ onClose }: RuleDialogProps) {
  const empty = () => ruleDraftOf(undefined);
  const draft = useDraft<RuleDraft>(useDraftKey('yearly-rule'), empty, (stored) => restoreTexts(empty(), stored));
  const discard = () => {
    draft.restart(empty());
    onClose();
  };
  return <RuleForm draft={draft.value} onChange={draft.set} onClose={onClose} onDiscard={discard} />;
}

function KnownRule({ rule, onClose }: { rule: YearlyRule; onClose: () => void }) {
  const [draft, setDraft] = useState(() => ruleDraftOf(rule));
  return <RuleForm rule={rule} draft={draft} onChange={setDraft} onClose={onClose} onDiscard={onClose} />;
}

interface ToSave {
  body: RuleToSave;
  /** Undefined: the rule has a template. */
  template: TemplateToSave | undefined;
}

/** Saves the gift as a template first. If the rule is refused then, the draft goes on with that template. */
function useSaving(rule: YearlyRule | undefined, unsent_gifts: Unsent, onTemplate: (templateId: string) => void) {
  const { path } = useScope();
  return useAct({
    send: async ({ body, template }: ToSave) => {
      if (template !== undefined) {
        const params = { path };
        const saved = await unwrap(api.POST(`${SCOPE_PATH}/gift-templates`, { params, body: template })).catch(
          (error: unknown) => {
            throw error instanceof ApiError && error.param === 'name' ? new TemplateNameError(error.message) : error;
          },
        );
        onTemplate(saved.template_id);
        body = { ...body, template_id: saved.template_id };
      }
      if (rule === undefined) return unwrap(api.POST(`${SCOPE_PATH}/yearly-rules`, { params: { path }, body }));
      const params = { path: { ...path, rule_id: rule.rule_id }, query: { unsent_gifts, seen_at: rule.changed_at } };
      return unwrap(api.PUT(`${SCOPE_PATH}/yearly-rules/{rule_id}`, { params, body }));
    },
    done: 'Rule saved.',
  });
}

type Unsent = 'cancel' | 'keep';

/** Both the template and the rule have a name. */
class TemplateNameError extends Error {}

/** Another rule whose gifts the same people get. */
function Twin({ rule, draft: { occasion, tag } }: { rule: YearlyRule | undefined; draft: RuleDraft }) {
  const twin = useRules().data?.data.find(
    (other) =>
      other.rule_id !== rule?.rule_id &&
      other.occasion === occasion &&
      !other.is_paused &&
      (other.tag === null || tag === '' || other.tag === tag),
  );
  if (twin === undefined) return null;
  return (
    <p role="status" className="mt-4 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      “<bdi>{twin.name}</bdi>” sends on the same day: people whom both reach get two gifts.
    </p>
  );
}

/** What a rule asked for or ordered, and would not send after the change. */
function useUnsentAfter(rule: YearlyRule | undefined, { tag }: RuleDraft) {
  const { path } = useScope();
  const next = { tag: tag === '' ? null : tag };
  const isOther = rule !== undefined && rule.tag !== next.tag;
  return useQuery({ ...unsentOfRule(path, rule?.rule_id ?? '', next), enabled: isOther });
}

interface RuleFormProps extends RuleDialogProps {
  draft: RuleDraft;
  onChange: (draft: RuleDraft) => void;
  onDiscard: () => void;
}

function RuleForm({ rule, draft, onChange, onClose, onDiscard }: RuleFormProps) {
  const { params, currency } = useScope();
  const templates = useTemplates().data?.data;
  // A template may have been deleted since.
  const isKnown = templates === undefined || templates.some(({ template_id }) => template_id === draft.template);
  const { choices } = useCategories();
  const usual = choices.find(({ category_id }) => category_id === ANY_CATEGORY) ?? choices[0];
  const shown = {
    ...draft,
    category: draft.category || (usual?.category_id ?? ''),
    ...(!isKnown && { template: '' }),
  };
  const change = (changes: Partial<RuleDraft>) => onChange({ ...shown, ...changes });
  const [choice, setChoice] = useState<Unsent>('cancel');
  const unsent = useUnsentAfter(rule, shown);
  const saving = useSaving(rule, choice, (template) => change({ template }));
  const template = shown.template === '' ? templateBodyOf(templateOf(shown), currency) : undefined;
  const body = ruleBodyOf(shown, currency, rule?.is_paused ?? false);
  const isWhole = body !== undefined && (shown.template !== '' || template !== undefined);
  const { error } = saving;
  const templateFault = error instanceof TemplateNameError ? error.message : undefined;
  const faultOf = (param: string) => (error instanceof ApiError && error.param === param ? error.message : undefined);
  const [nameFault, messageFault] = [faultOf('name'), faultOf('message')];
  return (
    <Dialog
      isOpen
      isHeld={saving.isPending}
      onClose={onClose}
      title={rule === undefined ? 'Add a rule' : 'Edit the rule'}
    >
      <DialogForm
        noValidate
        onSubmit={() => isWhole && saving.mutate({ body, template }, { onSuccess: onDiscard })}
        onCancel={onDiscard}
        error={(nameFault ?? templateFault ?? messageFault) === undefined ? error : null}
        isBusy={saving.isPending}
        action="Save rule"
        isIncomplete={!isWhole || unsent.isFetching}
        isCancelDisabled={saving.isPending}
        extraButton={
          <Link
            to="/$organizationId/$environment/gifts/templates"
            params={params}
            className="mr-auto self-center text-accent underline"
          >
            Templates
          </Link>
        }
      >
        <WhoFields draft={shown} isKnown={rule !== undefined} nameFault={nameFault} onChange={change} />
        <Twin rule={rule} draft={shown} />
        <GiftFields
          draft={shown}
          nameFault={templateFault}
          messageFault={messageFault}
          templates={templates ?? []}
          onChange={change}
        />
        <HowFields draft={shown} onChange={change} />
        <UnsentChoice
          unsent={unsent.data}
          about="To people whom the rule no longer reaches:"
          options={endings(unsent.data)}
          value={choice}
          onChange={setChoice}
        />
      </DialogForm>
    </Dialog>
  );
}
