import { type TestContext, test } from 'node:test';

type Test = (name: string, act: (context: TestContext) => Promise<void>) => void;

/** `test` where the machine has what it needs; elsewhere it says plainly that nothing was tried. */
export const testWhere = (missing: string | false): Test =>
  missing === false
    ? (name, act) => void test(name, act)
    : (name) => void process.stdout.write(`- not tried: ${name}. ${missing}\n`);
