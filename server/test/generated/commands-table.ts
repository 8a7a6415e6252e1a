import { issuerActs } from '../../src/capabilities/issuers/command.ts';
import { approvalActs } from '../../src/surfaces/commands/balance.ts';
import { addBuiltInAct, retireAct } from '../../src/surfaces/commands/catalog.ts';
import { giftActs } from '../../src/surfaces/commands/gift.ts';
import { memberActs } from '../../src/surfaces/commands/member.ts';
import { organizationActs } from '../../src/surfaces/commands/organization.ts';
import { eraseNameAct } from '../../src/surfaces/commands/recipient.ts';

// What the operator's page and the command both change is declared once (faces/operator-acts), also for the documents.

const declared = {
  org: [organizationActs],
  member: [memberActs],
  balance: [approvalActs],
  issuer: [issuerActs],
  gift: [giftActs],
  recipient: [{ eraseNameAct }],
  catalog: [{ addBuiltInAct, retireAct }],
};

/** Declared acts, each with its group of commands. */
export const declaredActs = Object.entries(declared).flatMap(([group, lists]) =>
  lists.flatMap((list) => Object.values(list).map((act) => ({ group, ...act }))),
);

/** Fills in the rows of declared acts. @throws Error if an act has no row: only the page says where it belongs */
export function withCommands(markdown: string): string {
  const lines = markdown.split('\n');
  for (const { group, row } of declaredActs) {
    const [word] = row.usage.split(' ', 1);
    const name = `bestow ${group} ${word}`;
    const index = lines.findIndex((line) => line.startsWith(`| \`${name} `) || line.startsWith(`| \`${name}\``));
    if (index < 0) throw new Error(`docs/commands.md has no row of ${name}: add one where it belongs.`);
    lines[index] = `| \`bestow ${group} ${row.usage}\` | ${row.does} |`;
  }
  return lines.join('\n');
}
