import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { Page } from 'playwright-core';
import {
  createOperatorClient,
  OPERATOR_EMAIL,
  type OperatorClient,
} from '../../../server/test/harness/operator-client.ts';
import {
  startTestService,
  type TestOrganization,
  type TestService,
} from '../../../server/test/harness/test-service.ts';
import { openVisit, type Visit } from './browser.ts';
import { type BrowsedService, browse, typeCode } from './portal.ts';

/** A service with an organization and an operator. */
export interface OperatedService extends BrowsedService {
  organization: TestOrganization;
  operator: OperatorClient;
  /** Opens a visit with a new session of the operator; `null`: signed out. */
  operatorVisit(who?: null): Promise<Visit>;
}

const variables = { RATE_LIMIT_ADDRESS_PER_SECOND: '100000', DATA_DIR: tmpdir() };

/** @param start the service, before its organization is created */
export async function startOperatedService(
  start: (variables: Record<string, string>) => Promise<TestService> = startTestService,
): Promise<OperatedService> {
  const service = await start(variables);
  const organization = await service.organization();
  await organization.addMembers();
  const browsed = await browse(service);
  const operator = await createOperatorClient(service);
  return {
    ...browsed,
    organization,
    operator,
    async operatorVisit(who) {
      const visit = await openVisit(browsed.browser, service.url);
      if (who !== null) assert.equal((await operator.signInAgain()).status, 200);
      // The page says when the session ends.
      await visit.context.clock.install({ time: service.clock.now() });
      if (who !== null)
        await visit.context.addCookies(
          [...operator.cookies].map(([name, value]) => ({ name, value, url: service.url })),
        );
      return visit;
    },
  };
}

/** Signs in by typing the address, the mailed code and the code of the authenticator app. */
export async function signInAsOperator(page: Page, { service, operator }: OperatedService): Promise<void> {
  await typeCode(page, service, OPERATOR_EMAIL);
  await page.getByLabel('Code from your authenticator app').fill(operator.shown());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Writes the reason of an act in its dialog and confirms it. */
export async function actWithReason(page: Page, action: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: action, exact: true }).click();
}
