import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { submit } from '../../ui/submit.ts';
import { useAct } from '../../ui/use-act.ts';
import { type Draft, faultsOf, grantOf, newDraft, readLimits } from '../agents/agent-draft.ts';
import { GrantFields, useFocusOnFault } from '../agents/agent-grant-fields.tsx';
import { mayChangeGifts, type NewGrant } from '../agents/agent-terms.ts';
import { AssistantFacts, ConnectionEnded } from './connect-facts.tsx';
import { type Connection, goBack, useConnection, useDecline } from './use-connection.ts';

const route = getRouteApi('/signed-in/$organizationId/$environment/connect/$connectionId');

/** Asks what an assistant may do in this organization and mode, then leads back to it. */
export function ConnectAgreePage() {
  const { connectionId } = route.useParams();
  const { membership, environment } = useScope();
  const connection = useConnection(connectionId);
  const { data, error, refetch } = connection;
  return (
    <Page
      title={data === undefined ? 'Connect an assistant' : `Connect “${data.client.name}”`}
      description={
        environment === 'live'
          ? `Its orders are charged to the live balance of ${membership.organization_name}. All admins get an email.`
          : `Its orders are tests in the sandbox of ${membership.organization_name}. All admins get an email.`
      }
    >
      <div className="max-w-2xl">
        <Panel>
          {error === null ? (
            <Loaded query={connection} lines={8}>
              {(shown) => <AgreeForm connectionId={connectionId} connection={shown} />}
            </Loaded>
          ) : (
            <ConnectionEnded error={error} onRetry={() => void refetch()} />
          )}
        </Panel>
      </div>
    </Page>
  );
}

function AgreeForm({ connectionId, connection }: { connectionId: string; connection: Connection }) {
  const { may, currency } = useScope();
  const presets = connection.presets.map((preset) => ({
    ...preset,
    permissions: preset.permissions.filter((permission) => connection.permissions.includes(permission)),
  }));
  const [draft, setDraft] = useState<Draft>(() => ({ ...newDraft(presets[0]), name: connection.client.name }));
  const [tries, setTries] = useState(0);
  const agreement = useAgreement(connectionId);
  const decline = useDecline(connectionId);
  const faults = faultsOf(draft);
  const limits = readLimits(draft.limits, currency);
  useFocusOnFault(tries);
  if (agreement.isSuccess || decline.isSuccess)
    return (
      <p role="status">
        {agreement.isSuccess ? 'Connected. ' : 'Declined. '}
        Go back to the assistant; you can close this page. Under “Agents” you can look at what it may do, and revoke it.
      </p>
    );
  const agree = () => {
    if (Object.keys(faults).length > 0 || limits === undefined) setTries(tries + 1);
    else agreement.mutate(grantOf(draft, limits));
  };
  return (
    <form noValidate onSubmit={submit(agree)}>
      <AssistantFacts client={connection.client} />
      <div className="mt-6">
        <GrantFields
          presets={presets}
          offered={connection.permissions}
          draft={draft}
          change={(changes) => setDraft({ ...draft, ...changes })}
          faults={tries > 0 ? faults : {}}
          endHint="After this day it is signed out; after a year in any case, and when you are no longer an active admin."
        />
      </div>
      <FormError error={agreement.error ?? decline.error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="primary"
          isBusy={agreement.isPending}
          disabled={!may('integrate') || draft.name.trim() === '' || (mayChangeGifts(draft) && limits === undefined)}
        >
          Connect
        </Button>
        <Button onClick={() => decline.mutate()} isBusy={decline.isPending} disabled={agreement.isPending}>
          Decline
        </Button>
      </div>
    </form>
  );
}

function useAgreement(connectionId: string) {
  const { path } = useScope();
  return useAct({
    send: (body: NewGrant) =>
      unwrap(
        api.POST(`${SCOPE_PATH}/connections/{connection_id}`, {
          params: { path: { ...path, connection_id: connectionId } },
          body,
        }),
      ),
    onDone: goBack,
  });
}
