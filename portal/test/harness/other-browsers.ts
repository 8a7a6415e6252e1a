import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Builder, Capabilities, error, Key, type WebDriver, type WebElement } from 'selenium-webdriver';
import firefox from 'selenium-webdriver/firefox.js';
import { programPath } from '../../../server/test/harness/debian-programs.ts';
import { endWithTest } from '../../../server/test/harness/end-with-test.ts';
import { freePort, HUNG_AFTER_MS, until } from '../../../server/test/harness/server-process.ts';

// Playwright drives only its own builds of Firefox and WebKit, which no package registry has; WebDriver drives Debian's.

export const otherBrowsers = ['firefox', 'webkit'] as const;
export type OtherBrowser = (typeof otherBrowsers)[number];

/** What a person does in a browser. Names and labels are whole; every step waits for what it needs. */
export interface OtherVisit {
  driver: WebDriver;
  open(address: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  choose(label: string, value: string): Promise<void>;
  valueOf(label: string): Promise<string>;
  tick(label: string): Promise<void>;
  press(button: string): Promise<void>;
  follow(link: string): Promise<void>;
  /** Waits until the page shows the text. */
  see(text: string): Promise<void>;
  end(): Promise<void>;
}

/** Opens a browser with its own cookies and storage, which ends with the test. @param profile a directory, for Firefox */
export async function openOther(browser: OtherBrowser, profile?: string): Promise<OtherVisit> {
  const { driver, stop } = await (browser === 'firefox' ? openFirefox(profile) : openWebKit());
  await driver.manage().window().setRect({ width: 1_280, height: 900 });
  const visit = visitOf(driver);
  // A driver whose browser was killed may never answer.
  const quit = () => Promise.race([driver.quit().catch(() => undefined), sleep(5_000)]);
  return { ...visit, end: endWithTest(() => quit().then(stop)) };
}

/** A driver's Firefox forgets its tabs; a person's opens them again after a kill. */
const RESTORES = {
  'browser.sessionstore.interval': 500,
  'browser.sessionstore.resume_from_crash': true,
  'browser.startup.page': 3,
  'toolkit.startup.max_resumed_crashes': -1,
};

async function openFirefox(profile: string | undefined) {
  const options = new firefox.Options().setBinary(programPath('firefox')).addArguments('-headless');
  if (profile !== undefined) {
    options.addArguments('-profile', profile);
    for (const [name, value] of Object.entries(RESTORES)) options.setPreference(name, value);
  }
  const service = new firefox.ServiceBuilder(programPath('geckodriver')).build();
  const builder = new Builder()
    .usingServer(await service.start())
    .forBrowser('firefox')
    .setFirefoxOptions(options);
  const driver = await builder.build();
  return { driver, stop: () => service.kill() };
}

async function openWebKit() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // WebKit has no mode without a screen.
  const screen = spawn(programPath('xvfb'), ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data');
  const server = spawn(programPath('webkit_driver'), [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(display).trim()}`, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
  });
  const stop = () => {
    for (const child of [server, screen]) child.kill();
  };
  const browserOptions = { binary: programPath('webkit'), args: ['--automation'] };
  const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': browserOptions });
  try {
    await until(() => fetch(`${url}/status`).then(Boolean, () => false), 'the driver listens');
    return { driver: await new Builder().usingServer(url).withCapabilities(capabilities).build(), stop };
  } catch (thrown) {
    stop();
    throw thrown;
  }
}

/** Finds a visible button, link or field by its name, in the page. */
const FIND = `const [kind, name] = arguments;
const isNamed = (one) => [one.getAttribute('aria-label'), one.innerText?.trim()].includes(name) && one.checkVisibility();
const all = (selector) => [...document.querySelectorAll(selector)];
if (kind !== 'field') return all(kind === 'link' ? 'a' : 'button, summary').find((one) => isNamed(one) && !one.disabled);
return all('input, select, textarea').find((one) => isNamed(one) || [...(one.labels ?? [])].some(isNamed));`;

/** Chooses an option, in the page, once there is one. */
const CHOOSE = `const [field, value] = arguments;
if (![...field.options].some((option) => option.value === value)) return false;
field.value = value;
field.dispatchEvent(new Event('change', { bubbles: true }));
return true;`;

function visitOf(driver: WebDriver): Omit<OtherVisit, 'end'> {
  /** Waits until the script in the page returns something; the page may be replaced meanwhile. */
  async function untilFound<Found>(what: string, script: string, ...values: unknown[]): Promise<Found> {
    const deadlineMs = performance.now() + HUNG_AFTER_MS;
    for (;;) {
      const found = await driver.executeScript<Found | null>(script, ...values).catch(() => null);
      if (found) return found;
      if (performance.now() > deadlineMs) break;
      await sleep(100);
    }
    throw new Error(`${what}: ${await driver.executeScript('return location.href + document.body.innerText')}`);
  }
  const find = (kind: 'button' | 'link' | 'field', name: string) =>
    untilFound<WebElement>(`There is no ${kind} “${name}”`, FIND, kind, name);
  async function click(kind: 'button' | 'link' | 'field', name: string): Promise<void> {
    let covered: unknown;
    await until(async () => {
      const element = await find(kind, name);
      // Away from the edges, where something may stand above it.
      await driver.executeScript(`arguments[0].scrollIntoView({ block: 'center' })`, element);
      covered = await element.click().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      // A dialog that closes still covers it.
      return !(covered instanceof error.ElementClickInterceptedError);
    }, `“${name}” is covered: ${covered}`);
    if (covered !== undefined) throw covered;
  }
  return {
    driver,
    open: (address) => driver.get(address),
    async fill(label, text) {
      const field = await find('field', label);
      // As a person does: what a driver clears, WebKit does not tell the page.
      await field.sendKeys(Key.chord(Key.CONTROL, 'a'));
      await field.sendKeys(Key.BACK_SPACE);
      await field.sendKeys(text.replaceAll('\n', Key.ENTER));
    },
    choose: async (label, value) =>
      void (await untilFound(`There is no “${value}” to choose`, CHOOSE, await find('field', label), value)),
    valueOf: async (label) => (await find('field', label)).getProperty('value') as Promise<string>,
    tick: (label) => click('field', label),
    press: (button) => click('button', button),
    follow: (link) => click('link', link),
    see: async (text) =>
      void (await untilFound(
        `The page does not show “${text}”`,
        'return document.body.innerText.includes(arguments[0])',
        text,
      )),
  };
}
