import { steeringAddresses } from './steering.ts';

export function steeringTable(mailDomain: string): string {
  const rows = steeringAddresses.map(({ localParts, phone, description }) => {
    const names = localParts.map((localPart) => `\`${localPart}\``).join(', ');
    return `| ${names} | \`${phone}\` | ${description} |`;
  });
  // Whole addresses would make the table too wide, so only the header has the domain.
  return [`| …@${mailDomain} | Phone | What happens |`, '| --- | --- | --- |', ...rows].join('\n');
}
