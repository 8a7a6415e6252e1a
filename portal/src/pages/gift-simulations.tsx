import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import type { components } from '../api/schema.d.ts';
import { usePlace } from '../layout/use-place.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Panel } from '../ui/page.tsx';
import { useToast } from '../ui/toast.tsx';
import { giftQueryKey } from './gift-query.ts';

type Simulations = NonNullable<components['schemas']['GiftHistory']['simulations']>;

const simulations = [
  { simulation: 'deliver', label: 'Deliver', done: 'The gift is delivered.' },
  { simulation: 'fail', label: 'Fail delivery', done: 'The delivery has failed.' },
  { simulation: 'open', label: 'Open', done: 'The gift is opened.' },
  { simulation: 'claim', label: 'Claim', done: 'The gift is claimed.' },
  { simulation: 'spend', label: 'Spend', done: 'The gift is spent.' },
] as const satisfies { simulation: keyof Simulations; label: string; done: string }[];

/** In the sandbox: what a recipient or a mail program would do, at a press. */
export function GiftSimulations({ giftId, possible }: { giftId: string; possible: Simulations }) {
  const { path, organizationId } = usePlace();
  const queryClient = useQueryClient();
  const say = useToast();
  const simulation = useMutation({
    mutationFn: (chosen: (typeof simulations)[number]) =>
      unwrap(
        api.POST('/portal/api/organizations/{organization_id}/sandbox/gifts/{gift_id}/simulate', {
          params: { path: { organization_id: organizationId, gift_id: giftId } },
          body: { simulation: chosen.simulation },
        }),
      ),
    onSuccess: (history, { done }) => {
      queryClient.setQueryData(giftQueryKey(path, giftId), history);
      say(done);
      return queryClient.invalidateQueries({ queryKey: ['gifts'] });
    },
    // Somebody else did it first: show what is so now.
    onError: () => queryClient.invalidateQueries({ queryKey: giftQueryKey(path, giftId) }),
  });
  return (
    <Panel title="Simulate" description="Make happen what a recipient would do. Nobody gets a message, no money moves.">
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
      </div>
      <FormError error={simulation.error} />
    </Panel>
  );
}
