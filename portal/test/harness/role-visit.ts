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

const linksOf = (page: Page, menu: string) =>
  page.getByRole('navigation', { name: menu, exact: true }).getByRole('link');

/** The entries of the menu, without what is counted beside them. */
export const menuOf = async (page: Page) =>
  (await linksOf(page, 'Portal').allInnerTexts()).map((text) => text.split('\n')[0] ?? '');

/** Pages that are not called like their entry or tab. */
const titles: Record<string, string> = { Send: 'Send a gift', People: 'Contacts', Organization: 'Settings' };

/** Opens each entry of the menu and each of its tabs, and waits for their content. */
export async function openAll(page: Page, menu: readonly string[]): Promise<void> {
  const open = async (within: string, name: string) => {
    await linksOf(page, within).filter({ hasText: name }).first().click();
    await page.getByRole('heading', { level: 1, name: titles[name] ?? name, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByText('Could not load this').count(), 0, name);
  };
  for (const entry of menu) {
    await open('Portal', entry);
    for (const tab of (await linksOf(page, entry).allInnerTexts()).slice(1)) await open(entry, tab);
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
