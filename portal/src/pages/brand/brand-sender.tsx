import { useQuery } from '@tanstack/react-query';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { useDraft, useDraftKey } from '../../layout/drafts.ts';
import { Operator } from '../../layout/operator.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/code.tsx';
import { FormError, TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useAct } from '../../ui/use-act.ts';

type SenderDomain = components['schemas']['SenderDomain'];
type Domain = NonNullable<SenderDomain['domain']>;
type Record = Domain['records'][number];

const DOMAIN_PATH = `${ORGANIZATION_PATH}/brand/sender-domain` as const;

/** The own domain from which gift emails come. */
export function SenderDomainSettings() {
  const { organizationId } = useScope();
  const params = { path: { organization_id: organizationId } };
  const query = useQuery({
    queryKey: ['sender-domain', organizationId],
    queryFn: () => unwrap(api.GET(DOMAIN_PATH, { params })),
  });
  return (
    <Panel
      title="Sender domain"
      description="Gift emails come from an address of your own domain as soon as its DNS records are found. Until then they come from ours."
    >
      <Loaded query={query} lines={4}>
        {({ is_possible, domain }) =>
          domain !== null ? (
            <DomainStatus domain={domain} />
          ) : is_possible ? (
            <AddDomain />
          ) : (
            <p className="text-soft">
              Emails of this service come from its own address only. <Operator startsSentence /> can change that.
            </p>
          )
        }
      </Loaded>
    </Panel>
  );
}

const restoreAddress = (stored: unknown) => (typeof stored === 'string' ? stored : undefined);

function AddDomain() {
  const { may } = useScope();
  const address = useDraft(useDraftKey('sender-domain', 'of both'), () => '', restoreAddress);
  const { add } = useDomainActs();
  if (!may('settings')) return <p className="text-soft">Not set. An admin can add one.</p>;
  return (
    <form
      className="max-w-md"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(address.value, { onSuccess: () => address.restart('') });
      }}
    >
      <TextField
        label="Sender’s address"
        type="email"
        required
        maxLength={254}
        placeholder="gifts@your-company.com"
        value={address.value}
        onChange={address.set}
        hint="The next step shows what to publish in the domain’s DNS."
      />
      <FormError error={add.error} />
      <Button type="submit" variant="primary" className="mt-4" isBusy={add.isPending}>
        Add
      </Button>
    </form>
  );
}

function DomainStatus({ domain }: { domain: Domain }) {
  const { may } = useScope();
  const { check, remove } = useDomainActs();
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="wrap-anywhere">{domain.address}</strong>
        <Badge tone={domain.is_verified ? 'good' : 'warn'}>{domain.is_verified ? 'In use' : 'Not verified'}</Badge>
        <span className="text-sm text-soft">
          {domain.checked_at === null ? (
            'Not checked yet'
          ) : (
            <>
              Checked <Time at={domain.checked_at} />
            </>
          )}
        </span>
      </p>
      <ul className="mt-4 grid gap-3">
        {domain.records.map((record) => (
          <RecordStatus key={record.kind} record={record} />
        ))}
      </ul>
      <FormError error={check.error ?? remove.error} />
      {may('settings') && (
        <p className="mt-4 flex flex-wrap gap-2">
          <Button variant="primary" isBusy={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
          <Button variant="quiet" isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        </p>
      )}
    </>
  );
}

const names = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC (recommended)' } as const;
const states = {
  found: { tone: 'good', text: 'Found' },
  missing: { tone: 'warn', text: 'Missing' },
  wrong: { tone: 'bad', text: 'Wrong' },
  unknown: { tone: 'plain', text: 'DNS did not answer' },
} as const;

function RecordStatus({ record: { kind, name, value, state, found } }: { record: Record }) {
  return (
    <li className="rounded-xl border border-line p-4">
      <p className="flex flex-wrap items-center gap-3">
        <strong>{names[kind]}</strong>
        {state !== null && <Badge tone={states[state].tone}>{states[state].text}</Badge>}
      </p>
      <dl className="mt-2 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[6rem_minmax(0,1fr)]">
        <dt className="text-soft">TXT record of</dt>
        <dd className="min-w-0 wrap-anywhere">
          <CopyableCode label={`Copy the name for ${kind}`}>{name}</CopyableCode>
        </dd>
        <dt className="text-soft">Text</dt>
        <dd className="min-w-0 wrap-anywhere">
          <CopyableCode label={`Copy the text for ${kind}`}>{value}</CopyableCode>
        </dd>
        {state === 'wrong' && found !== null && (
          <>
            <dt className="text-soft">DNS has</dt>
            <dd className="min-w-0 font-mono wrap-anywhere whitespace-pre-line">{found}</dd>
          </>
        )}
      </dl>
      {kind === 'spf' && state !== 'found' && (
        <p className="mt-2 text-sm text-soft">
          If the domain has an SPF record, add the term to it: two records count as none.
        </p>
      )}
    </li>
  );
}

function useDomainActs() {
  const { organizationId } = useScope();
  const params = { path: { organization_id: organizationId } };
  const shows = ['sender-domain', organizationId] as const;
  return {
    add: useAct({ send: (address: string) => unwrap(api.PUT(DOMAIN_PATH, { params, body: { address } })), shows }),
    check: useAct({ send: () => unwrap(api.POST(`${DOMAIN_PATH}/check`, { params })), shows }),
    remove: useAct({ send: () => unwrap(api.DELETE(DOMAIN_PATH, { params })), shows }),
  };
}
