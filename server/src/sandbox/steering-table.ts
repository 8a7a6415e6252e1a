import { steeringAddresses } from './steering.ts';

/** The steering table in Markdown, for the OpenAPI document. */
export function steeringTable(mailDomain: string): string {
  const rows = steeringAddresses.map(({ localParts, phone, description }) => {
    const emails = localParts.map((localPart) => `\`${localPart}@${mailDomain}\``).join(', ');
    return `| ${emails} | \`${phone}\` | ${description} |`;
  });
  return ['| Email | Phone | What happens |', '| --- | --- | --- |', ...rows].join('\n');
}
