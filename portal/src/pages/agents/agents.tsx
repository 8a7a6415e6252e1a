import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useGrants } from '../../api/use-grants.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { EmptyState, Loaded, RefreshFailed } from '../../ui/states.tsx';
import { LimitsDialog, RevokeAgentDialog } from './agent-acts.tsx';
import { CreateAgentDialog } from './agent-create.tsx';
import { type Act, AgentList, EndedAgents } from './agent-list.tsx';
import type { Grant } from './agent-terms.ts';
import { ReplaceTokenDialog } from './agent-token.tsx';

// In one file of the build, because each more lengthens the list that the first page loads.
export { KeysPage } from '../keys/keys.tsx';

/** The grants of the current mode. The limit counts both modes. */
export function AgentsPage() {
  const { environment, params, includes, may } = useScope();
  const [isCreating, setIsCreating] = useState(false);
  const grants = useGrants();
  const { data, error } = grants;
  const left = data === undefined ? undefined : data.most_active - data.active;
  const button = may('integrate') && (
    <Button variant="primary" onClick={() => setIsCreating(true)} disabled={left === undefined || left <= 0}>
      New {environment} agent
    </Button>
  );
  const active = data?.data.filter(({ is_active }) => is_active) ?? [];
  const ended = data?.data.filter(({ is_active }) => !is_active) ?? [];
  const isAsking = includes('integrate') && data?.data.some(({ ask_above }) => ask_above !== null);
  return (
    <Page
      title="Agents"
      description="An agent is a program with a language model. Its grant says what it may do, for whom and for how much."
      actions={data?.data.length !== 0 && button}
    >
      <Panel>
        <Loaded query={grants} lines={6}>
          {() => (
            <>
              {error !== null && <RefreshFailed error={error} />}
              {data?.data.length === 0 ? (
                <NoAgents button={button} />
              ) : (
                <>
                  <div className="flex flex-wrap justify-between gap-x-6 gap-y-2">
                    <p className="text-soft">
                      {left === 0
                        ? `All ${data?.most_active} active agents are in use (Live and Sandbox). Revoke one to create another.`
                        : `${data?.active} of ${data?.most_active} active agents (Live and Sandbox).`}
                    </p>
                    {isAsking && (
                      <Link
                        to="/$organizationId/$environment/gifts/requests"
                        params={params}
                        className="text-accent underline underline-offset-2"
                      >
                        Approvals
                      </Link>
                    )}
                  </div>
                  <ActiveAgents grants={active} />
                </>
              )}
            </>
          )}
        </Loaded>
      </Panel>
      {ended.length > 0 && <EndedAgents grants={ended} />}
      {isCreating && data !== undefined && (
        <CreateAgentDialog presets={data.presets} onClose={() => setIsCreating(false)} />
      )}
    </Page>
  );
}

function ActiveAgents({ grants }: { grants: readonly Grant[] }) {
  const { environment } = useScope();
  const [chosen, setChosen] = useState<{ act: Act; grant: Grant }>();
  const close = () => setChosen(undefined);
  return (
    <>
      {grants.length === 0 ? (
        <EmptyState title={`No active ${environment} agents`} />
      ) : (
        <AgentList grants={grants} onAct={(act, grant) => setChosen({ act, grant })} />
      )}
      {chosen?.act === 'limits' && <LimitsDialog grant={chosen.grant} onClose={close} />}
      {chosen?.act === 'replace' && <ReplaceTokenDialog replaced={chosen.grant} onClose={close} />}
      {chosen?.act === 'revoke' && <RevokeAgentDialog grant={chosen.grant} onClose={close} />}
    </>
  );
}

function NoAgents({ button }: { button: React.ReactNode }) {
  const { environment, includes } = useScope();
  return (
    <EmptyState title={`No ${environment} agents yet`}>
      <p>
        A grant lets one agent read, order or manage gifts within limits that the database enforces. Do not give an
        agent an API key: a key allows far more, and a text that the model reads can mislead it.
      </p>
      {includes('integrate') ? <p className="mt-4">{button}</p> : <p className="mt-3">An admin can create one.</p>}
    </EmptyState>
  );
}
