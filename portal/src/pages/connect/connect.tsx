import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Me } from '../../api/me.ts';
import { SinglePanel } from '../../layout/single-panel.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { submit } from '../../ui/submit.ts';
import { Choice, FieldGroup } from '../agents/agent-fields.tsx';
import { AssistantFacts, ConnectionEnded } from './connect-facts.tsx';
import { useConnection, useDecline } from './use-connection.ts';

// One file for both pages, which a person sees one after the other.
export { ConnectAgreePage } from './connect-agree.tsx';

const route = getRouteApi('/signed-in/connect/$connectionId');

const environmentNames = { sandbox: 'Sandbox', live: 'Live' } as const;
type Environment = keyof typeof environmentNames;

interface Place {
  organizationId: string;
  environment: Environment;
}

/** Shows who asks to be connected, and asks for which organization. */
export function ConnectPage() {
  const { connectionId } = route.useParams();
  const { data, error, refetch } = useConnection(connectionId);
  const title = data === undefined ? 'Connect an assistant' : `Connect “${data.client.name}”?`;
  useEffect(() => {
    document.title = `${title} · Bestow`;
  }, [title]);
  return (
    <SinglePanel title={title}>
      {error !== null && <ConnectionEnded error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <AssistantFacts client={data.client} />
          <PlaceForm connectionId={connectionId} />
        </>
      )}
    </SinglePanel>
  );
}

function PlaceForm({ connectionId }: { connectionId: string }) {
  const { me } = route.useRouteContext();
  const navigate = useNavigate();
  const decline = useDecline(connectionId);
  const places = placesOf(me);
  const [chosen, setChosen] = useState<Place | undefined>(places.length === 1 ? places[0] : undefined);
  if (places.length === 0)
    return (
      <>
        <p className="mt-5 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          Only an admin of an organization can connect an assistant. You are signed in as {me.email}.
        </p>
        <FormError error={decline.error} />
        <div className="mt-6">
          <Button onClick={() => decline.mutate()} isBusy={decline.isPending}>
            Decline
          </Button>
        </div>
      </>
    );
  const go = () =>
    chosen &&
    navigate({ to: '/$organizationId/$environment/connect/$connectionId', params: { ...chosen, connectionId } });
  return (
    <form onSubmit={submit(() => void go())}>
      <FieldGroup legend="For" hint="Sandbox orders are tests. You choose what it may do in the next step.">
        {places.map((place) => (
          <Choice
            key={`${place.organizationId} ${place.environment}`}
            type="radio"
            name="place"
            label={`${place.name}, ${environmentNames[place.environment]}`}
            isChecked={chosen?.organizationId === place.organizationId && chosen.environment === place.environment}
            onChange={() => setChosen(place)}
          />
        ))}
      </FieldGroup>
      <FormError error={decline.error} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={chosen === undefined}>
          Continue
        </Button>
        <Button onClick={() => decline.mutate()} isBusy={decline.isPending}>
          Decline
        </Button>
      </div>
    </form>
  );
}

/** Where the person may make grants, the sandbox first. */
function placesOf({ memberships, service }: Me): (Place & { name: string })[] {
  return memberships
    .filter(({ permissions, is_suspended }) => permissions.includes('integrate') && !is_suspended)
    .flatMap(({ organization_id, organization_name, has_sandbox }) =>
      (['sandbox', 'live'] as const)
        .filter((environment) => service.environments.includes(environment) && (environment === 'live' || has_sandbox))
        .map((environment) => ({ organizationId: organization_id, environment, name: organization_name })),
    );
}
