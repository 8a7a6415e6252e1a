import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PortalService } from './portal.ts';

/** A visit in which no request may fail. */
export async function work(portal: PortalService, email: string) {
  const visit = await portal.visit(email);
  const failed: string[] = [];
  visit.page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  return { ...visit, assertClean: () => assert.deepEqual([failed, visit.complaints], [[], []]) };
}

/** The pages of the menu. */
export const menuOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Portal' }).getByRole('link').allInnerTexts();

/** Opens each page of the menu and waits for its content. */
export async function openAll(page: Page, menu: readonly string[]): Promise<void> {
  for (const name of menu) {
    await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByText('Could not load this').count(), 0, name);
  }
}

/** Pages that a role does not include say so, and call nothing that fails. */
export async function assertShut(portal: PortalService, page: Page, path: string, lack: string): Promise<void> {
  await page.goto(portal.at(path));
  await page.getByText(`Your role does not include ${lack}. Ask an admin.`).waitFor();
}

/** Adds active members with a built-in role each. @param roles by address */
export async function addMembers({ service, organization }: PortalService, roles: Record<string, string>) {
  for (const [email, role] of Object.entries(roles))
    await service.sql(
      `insert into members (organization_id, member_id, email, role, created_at)
       values ($1, gen_random_uuid(), $2, $3, now())`,
      [organization.organizationUuid, email, role],
    );
}
