import { useQueryClient } from '@tanstack/react-query';
import { api, ORGANIZATION_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/field.tsx';
import { Panel } from '../../ui/page.tsx';
import { useAct } from '../../ui/use-act.ts';
import { RecipientPageButton } from '../gift-form/gift-recipient-page.tsx';
import { giftQuery } from './gift-query.ts';

type Simulations = NonNullable<components['schemas']['GiftPage']['simulations']>;

const simulations = [
  { simulation: 'deliver', label: 'Deliver', done: 'Gift delivered.' },
  { simulation: 'fail', label: 'Fail delivery', done: 'Delivery failed.' },
  { simulation: 'open', label: 'Open', done: 'Gift opened.' },
  { simulation: 'claim', label: 'Claim', done: 'Gift claimed.' },
  { simulation: 'spend', label: 'Spend', done: 'Gift spent.' },
] as const satisfies { simulation: keyof Simulations; label: string; done: string }[];

interface GiftSimulationsProps {
  giftId: string;
  /** Of a link gift, another panel has the link. */
  isLink: boolean;
  possible: Simulations;
}

/** Buttons that simulate the recipient and the mail server in the sandbox. */
export function GiftSimulations({ giftId, isLink, possible }: GiftSimulationsProps) {
  const { path, organizationId, may } = useScope();
  const queryClient = useQueryClient();
  const simulation = useAct({
    send: (chosen: (typeof simulations)[number]) =>
      unwrap(
        api.POST(`${ORGANIZATION_PATH}/sandbox/gifts/{gift_id}/simulate`, {
          params: { path: { organization_id: organizationId, gift_id: giftId } },
          body: { simulation: chosen.simulation },
        }),
      ),
    shows: giftQuery(path, giftId).queryKey,
    done: (_history, { done }) => done,
    // Someone else may have changed the gift first.
    onRefused: () => queryClient.invalidateQueries(giftQuery(path, giftId)),
  });
  return (
    <Panel title="Simulate" description="Simulate the recipient. No messages are sent and no money moves.">
      <div className="flex flex-wrap gap-2">
        {simulations.map((choice) => (
          <Button
            key={choice.simulation}
            disabled={!possible[choice.simulation] || simulation.isPending}
            aria-busy={simulation.isPending && simulation.variables === choice ? true : undefined}
            onClick={() => simulation.mutate(choice)}
          >
            {choice.label}
          </Button>
        ))}
        {!isLink && may('links') && <RecipientPageButton giftId={giftId} />}
      </div>
      <FormError error={simulation.error} />
    </Panel>
  );
}
