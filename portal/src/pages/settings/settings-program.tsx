import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError, SelectField, TextField } from '../../ui/field.tsx';
import { type Language, languageChoices, languageName } from '../../ui/languages.ts';
import { Panel } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { useAct } from '../../ui/use-act.ts';

type Program = components['schemas']['Program'];

const programs: { value: Program['program']; label: string }[] = [
  { value: 'award', label: 'Us: we give the gifts' },
  { value: 'sold', label: 'Our customers' },
];

const valueChoices = [
  { value: 'hidden', label: 'Hidden until unwrapped' },
  { value: 'shown', label: 'Shown' },
];

const languages = languageChoices('The browser’s language');

/** When unclaimed gifts expire, when recipients are reminded, and what they read. */
export function ProgramSettings() {
  const { organizationId } = useScope();
  const params = { path: { organization_id: organizationId } };
  const { data, error, refetch } = useQuery({
    queryKey: ['program', organizationId],
    queryFn: () => unwrap(api.GET(`${ORGANIZATION_PATH}/program`, { params })),
  });
  if (data === undefined)
    return (
      <Panel title="Unclaimed gifts">
        {error === null ? <Skeleton lines={3} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Panel>
    );
  // A saved panel starts again, and the others keep what is typed.
  return (
    <>
      <ExpirySettings key={`expiry ${data.program} ${data.unclaimed_after_days}`} program={data} />
      <ReminderSettings key={`reminders ${data.reminder_days}`} program={data} />
      <ReadingSettings key={`reading ${data.messages_show_value} ${data.language}`} program={data} />
    </>
  );
}

function ExpirySettings({ program: before }: { program: Program }) {
  const [program, setProgram] = useState(before.program);
  const [days, setDays] = useState(before.unclaimed_after_days?.toString() ?? '');
  return (
    <ProgramPanel
      title="Unclaimed gifts"
      description="After so many days an unclaimed gift is canceled, and its value returns to the balance. Applies to later orders; you get an email at least a week before."
      summary={
        before.unclaimed_after_days === null
          ? 'Gifts do not expire.'
          : `Gifts expire after ${before.unclaimed_after_days} days.`
      }
      changed={{ ...before, program, unclaimed_after_days: days.trim() === '' ? null : Number(days) }}
    >
      <SelectField
        label="Who pays for the gifts"
        value={program}
        onChange={setProgram}
        options={programs}
        hint="What customers pay for must stay claimable for longer."
      />
      <TextField
        label="Days until an unclaimed gift expires"
        value={days}
        onChange={setDays}
        inputMode="numeric"
        pattern="[0-9]*"
        maxLength={4}
        hint={`Empty: gifts do not expire. ${program === 'sold' ? '1,826' : '30'} to 3,650 days.`}
      />
    </ProgramPanel>
  );
}

const numbersIn = (text: string) => (text.match(/\d+/g) ?? []).map(Number);

function ReminderSettings({ program: before }: { program: Program }) {
  const known = before.reminder_days.join(', ');
  const [days, setDays] = useState(known);
  return (
    <ProgramPanel
      title="Reminders"
      description="Emails and text messages to recipients who have not opened a live gift."
      summary={known === '' ? 'Recipients are not reminded.' : `Recipients are reminded after these days: ${known}.`}
      changed={{ ...before, reminder_days: numbersIn(days) }}
    >
      <TextField
        label="Remind recipients after these days"
        value={days}
        onChange={setDays}
        inputMode="numeric"
        pattern="[0-9, ]*"
        maxLength={40}
        hint="Such as 7, 21. Empty: no reminders."
      />
    </ProgramPanel>
  );
}

function ReadingSettings({ program: before }: { program: Program }) {
  const [showsValue, setShowsValue] = useState(before.messages_show_value ? 'shown' : 'hidden');
  const [language, setLanguage] = useState<Language | ''>(before.language ?? '');
  return (
    <ProgramPanel
      title="Messages and gift pages"
      description="What recipients read before they unwrap a gift, and in which language."
      summary={`Amount and category in messages: ${before.messages_show_value ? 'shown' : 'hidden'}. Language: ${before.language ? languageName(before.language) : 'the browser’s'}.`}
      changed={{ ...before, messages_show_value: showsValue === 'shown', language: language === '' ? null : language }}
    >
      <SelectField
        label="Amount and category in messages"
        value={showsValue}
        onChange={setShowsValue}
        options={valueChoices}
        hint="The gift’s page shows them once it is unwrapped."
      />
      <SelectField
        label="Language of pages and messages"
        value={language}
        onChange={setLanguage}
        options={languages}
        hint="For gifts without their own language. Without one, messages are in English. Recipients can choose another on the page."
      />
    </ProgramPanel>
  );
}

interface ProgramPanelProps {
  title: string;
  description: string;
  /** For members who may not change it. */
  summary: string;
  changed: Program;
  children: ReactNode;
}

function ProgramPanel({ title, description, summary, changed, children }: ProgramPanelProps) {
  const { may } = useScope();
  const save = useSave();
  return (
    <Panel title={title} description={description}>
      {may('settings') ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(changed);
          }}
          className="max-w-md"
        >
          {children}
          <FormError error={save.error} />
          <Button type="submit" variant="primary" className="mt-4" disabled={save.isPending}>
            Save
          </Button>
        </form>
      ) : (
        <p>{summary}</p>
      )}
    </Panel>
  );
}

function useSave() {
  const { organizationId } = useScope();
  return useAct({
    send: (body: Program) =>
      unwrap(
        api.PUT(`${ORGANIZATION_PATH}/program`, {
          params: { path: { organization_id: organizationId } },
          body,
        }),
      ),
    shows: ['program', organizationId],
    done: 'Saved for later orders.',
  });
}
