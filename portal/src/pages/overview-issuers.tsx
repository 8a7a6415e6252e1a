import { Operator } from '../layout/operator.tsx';

/** Warns that cards of live gifts are simulated. */
export function SimulatedIssuers({ own }: { own: string }) {
  return (
    <p role="note" className="rounded-xl border border-bad/40 bg-bad-wash px-4 py-3 text-bad">
      <strong>{own === '' ? 'The cards of live gifts buy nothing.' : 'Some cards of live gifts buy nothing.'}</strong>{' '}
      They are simulated, because no card issuer is set up{own === '' ? '' : ` except for ${own}`}. Ask <Operator />.
    </p>
  );
}
