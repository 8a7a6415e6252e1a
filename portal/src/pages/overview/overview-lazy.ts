import { lazy } from 'react';

/** Each import is here once: its list of files is in the script of the page for each time. */
const more = () => import('./overview-first-steps.tsx');

export const DayChart = lazy(() => import('./overview-charts.tsx'));
/** Only new organizations need them. */
export const FirstSteps = lazy(async () => ({ default: (await more()).FirstSteps }));
/** Only a service without issuers warns. */
export const SimulatedIssuers = lazy(async () => ({ default: (await more()).SimulatedIssuers }));
export const OrdersTable = lazy(async () => ({ default: (await more()).OrdersTable }));
export const DeliveriesTable = lazy(async () => ({ default: (await more()).DeliveriesTable }));
