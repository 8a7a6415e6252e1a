import { Bestow } from 'bestow-sdk';
import { Suspense } from 'react';

async function Balance() {
  const { available } = await new Bestow().balance.retrieve();
  return <b>{available}</b>;
}

export default function Page() {
  return (
    <Suspense fallback="…">
      <Balance />
    </Suspense>
  );
}
