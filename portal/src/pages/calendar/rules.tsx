import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { hasUnsent, unsentOfRule } from '../../api/unsent-gifts.ts';
import { useScope } from '../../api/use-scope.ts';
import { useRules } from '../../api/yearly-rules.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { countOf, formatMoney } from '../../ui/formats.ts';
import { Panel } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { endings, UnsentChoice } from '../../ui/unsent-choice.tsx';
import { useAct } from '../../ui/use-act.ts';
import { useAdding } from '../../ui/use-adding.ts';
import { hourText, inputOf, occasions, type YearlyRule } from './calendar.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { zoneText } from './time-zones.ts';

type Change = { act: 'edit' | 'pause' | 'delete'; rule: YearlyRule };

/** What sends the gifts of the calendar. */
export function RulesPanel() {
  const { currency, may } = useScope();
  const rules = useRules();
  const { isAdding, begin, end } = useAdding('rule');
  const [change, setChange] = useState<Change>();
  const pause = usePause((rule) => setChange({ act: 'pause', rule }));
  const close = () => setChange(undefined);
  const isFull = rules.data === undefined || rules.data.data.length >= rules.data.most;
  const columns = columnsOf(currency);
  return (
    <Panel
      title="Rules"
      description="Each sends one gift a year to every contact with a tag, or to all."
      actions={
        may('settings') && (
          <Button variant="primary" onClick={begin} disabled={isFull}>
            Add a rule
          </Button>
        )
      }
    >
      <DataTable
        caption="Rules"
        columns={may('settings') ? [...columns, actionColumn(setChange, pause.mutate, pause.isPending)] : columns}
        query={rules}
        rowKey={({ rule_id }) => rule_id}
        loadingLines={3}
        empty={<EmptyState title="No rules yet">{may('settings') ? undefined : 'An admin can add one.'}</EmptyState>}
      />
      {isAdding && may('settings') && <RuleDialog onClose={end} />}
      {change?.act === 'edit' && <RuleDialog rule={change.rule} onClose={close} />}
      {change?.act === 'pause' && <PauseRule rule={change.rule} onClose={close} />}
      {change?.act === 'delete' && <RemoveRule rule={change.rule} onClose={close} />}
    </Panel>
  );
}

/** Pauses or resumes a rule; asks first if a gift would be canceled. */
function usePause(onAsk: (rule: YearlyRule) => void) {
  const { path } = useScope();
  const queryClient = useQueryClient();
  const saving = useSwitch();
  return useAct({
    isRead: true,
    send: async (rule: YearlyRule) => {
      if (!rule.is_paused && hasUnsent(await queryClient.fetchQuery(unsentOfRule(path, rule.rule_id)))) onAsk(rule);
      else await saving.mutateAsync({ rule, unsent_gifts: 'cancel' });
    },
    saysRefusal: true,
  });
}

function useSwitch() {
  const { path } = useScope();
  return useAct({
    send: ({ rule, unsent_gifts }: { rule: YearlyRule; unsent_gifts: Unsent }) => {
      const params = { path: { ...path, rule_id: rule.rule_id }, query: { unsent_gifts, seen_at: rule.changed_at } };
      const body = { ...inputOf(rule), is_paused: !rule.is_paused };
      return unwrap(api.PUT(`${SCOPE_PATH}/yearly-rules/{rule_id}`, { params, body }));
    },
    done: (_answer, { rule: { is_paused } }) => (is_paused ? 'Rule resumed.' : 'Rule paused.'),
  });
}

type Unsent = 'cancel' | 'keep';

function PauseRule({ rule, onClose }: { rule: YearlyRule; onClose: () => void }) {
  const { path } = useScope();
  const [choice, setChoice] = useState<Unsent>('cancel');
  const unsent = useQuery(unsentOfRule(path, rule.rule_id));
  const saving = useSwitch();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Pause “${rule.name}”?`}
      description="It buys and asks for nothing until it is resumed."
      action="Pause rule"
      isDanger={false}
      act={{
        ...saving,
        isPending: saving.isPending || unsent.isPending,
        mutate: () => saving.mutate({ rule, unsent_gifts: choice }, { onSuccess: onClose }),
      }}
    >
      <UnsentChoice unsent={unsent.data} options={endings(unsent.data)} value={choice} onChange={setChoice} />
    </ConfirmDialog>
  );
}

const columnsOf = (currency: string): Column<YearlyRule>[] => [
  {
    header: 'Rule',
    cell: (rule) => (
      <>
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="font-semibold wrap-anywhere">{rule.name}</bdi>
          {rule.is_paused && <Badge tone="plain">Paused</Badge>}
          {rule.is_held && <Badge tone="warn">Needs an admin</Badge>}
        </span>
        <span className="text-sm wrap-anywhere text-soft">
          {occasions[rule.occasion]} of {rule.tag ?? 'all'}, {hourText(rule.hour)} {zoneText(rule.time_zone)}
        </span>
      </>
    ),
  },
  { header: 'Contacts', cell: ({ contacts }) => contacts, align: 'right', isWide: true },
  {
    header: 'Gift',
    cell: ({ template, amount }) => (
      <>
        <span className="block">{formatMoney(amount, currency)}</span>
        <span className="text-sm wrap-anywhere text-soft">{template}</span>
      </>
    ),
    isWide: true,
  },
  { header: 'How', cell: (rule) => <How rule={rule} currency={currency} />, isWide: true },
];

function How({ rule, currency }: { rule: YearlyRule; currency: string }) {
  const { mode, yearly_limit, spent_this_year, saved_by } = rule;
  if (mode === 'approval') return 'With approval';
  return (
    <>
      <span className="block">Sends by itself, for {saved_by}</span>
      <span className="text-sm text-soft">
        {formatMoney(spent_this_year, currency)} of {formatMoney(yearly_limit ?? 0, currency)} this year
      </span>
    </>
  );
}

const actionColumn = (
  onChoose: (change: Change) => void,
  pause: (rule: YearlyRule) => void,
  isPausing: boolean,
): Column<YearlyRule> => ({
  header: 'Action',
  align: 'right',
  cell: (rule) => (
    <span className="flex flex-wrap justify-end gap-2">
      <Button size="small" aria-label={`Edit ${rule.name}`} onClick={() => onChoose({ act: 'edit', rule })}>
        Edit
      </Button>
      <Button
        size="small"
        aria-label={`${rule.is_paused ? 'Resume' : 'Pause'} ${rule.name}`}
        onClick={() => pause(rule)}
        isBusy={isPausing}
      >
        {rule.is_paused ? 'Resume' : 'Pause'}
      </Button>
      <Button size="small" aria-label={`Delete ${rule.name}`} onClick={() => onChoose({ act: 'delete', rule })}>
        Delete
      </Button>
    </span>
  ),
});

function RemoveRule({ rule, onClose }: { rule: YearlyRule; onClose: () => void }) {
  const { path } = useScope();
  const [choice, setChoice] = useState<Unsent>('cancel');
  const unsent = useQuery(unsentOfRule(path, rule.rule_id));
  const removal = useAct({
    send: () => {
      const params = { path: { ...path, rule_id: rule.rule_id }, query: { unsent_gifts: choice } };
      return unwrap(api.DELETE(`${SCOPE_PATH}/yearly-rules/{rule_id}`, { params }));
    },
    done: 'Rule deleted.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete “${rule.name}”?`}
      description={`${countOf(rule.contacts, 'contact')} no longer ${rule.contacts === 1 ? 'gets' : 'get'} its gifts, and its days leave the calendar. Gifts that were sent stay as they are.`}
      action="Delete rule"
      dismiss="Keep rule"
      act={{ ...removal, isPending: removal.isPending || unsent.isPending }}
    >
      <UnsentChoice unsent={unsent.data} options={endings(unsent.data)} value={choice} onChange={setChoice} />
    </ConfirmDialog>
  );
}
