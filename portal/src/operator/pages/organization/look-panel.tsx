import { Facts, Panel } from '../../../ui/page.tsx';
import { CommandLine } from '../../layout/command-line.tsx';
import type { Organization } from './organization-query.ts';

/** How the gifts of the organization behave and look to recipients. */
export function LookPanel({ organization: { organization_id, program, brand } }: { organization: Organization }) {
  const { unclaimed_after_days, reminder_days, messages_show_value } = program;
  return (
    <Panel title="Gifts and brand" description="Admins change these in the portal.">
      <Facts
        facts={[
          ['Program', program.program === 'sold' ? 'Sold gifts' : 'Awards'],
          ['Unclaimed gifts expire', unclaimed_after_days === null ? 'Never' : `After ${unclaimed_after_days} days`],
          ['Reminders', reminder_days.length === 0 ? 'None' : `After ${reminder_days.join(', ')} days`],
          ['Messages', messages_show_value ? 'Name the value' : 'Do not name the value'],
          ['Sender of mails', brand.sender_name ?? 'The organization’s name'],
          ['Replies go to', brand.reply_to ?? 'No one'],
          ['Colours', [brand.color, brand.text_color].filter((color) => color !== null).join(', ') || 'The service’s'],
          ['Logo', brand.logo === null ? 'None' : `${brand.logo.width} × ${brand.logo.height} pixels`],
          ['Footer', brand.footer ?? 'None'],
        ]}
      />
      <CommandLine command={`bestow org program ${organization_id}`} />
    </Panel>
  );
}
