import type { ComponentProps } from 'react';
import { Page } from '../../ui/page.tsx';

/** A page whose tab says that it is the operator's. */
export const OperatorPage = ({ tabTitle, ...rest }: ComponentProps<typeof Page>) => (
  <Page {...rest} tabTitle={`${tabTitle ?? rest.title} · Operator`} />
);
