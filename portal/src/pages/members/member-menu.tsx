import { CaretDownIcon, DotsHorizontalIcon } from '@radix-ui/react-icons';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { isActive, type Member, type MemberActName, memberAct, memberActs } from '../../api/member-acts.ts';
import { useScope } from '../../api/use-scope.ts';
import { buttonClass } from '../../ui/button.tsx';

const names = Object.keys(memberActs) as MemberActName[];

export type MemberChangeName = MemberActName | 'role' | 'team';

/** What opens a form. */
const forms = [
  { name: 'role', label: 'Change role', needs: 'members' },
  { name: 'team', label: 'Change team', needs: 'members' },
] as const;

/** The menu of actions on a member. */
export function MemberMenu({ member, onChoose }: { member: Member; onChoose: (act: MemberChangeName) => void }) {
  const chosen = useRef<MemberChangeName>(undefined);
  const { may } = useScope();
  const offered = [
    ...forms
      .filter(({ needs }) => isActive(member) && may(needs))
      .map(({ name, label }) => ({ name, label, isDanger: false })),
    ...names
      .filter((name) => may('members') && memberAct(name).isOffered(member))
      .map((name) => ({ name, label: memberAct(name).label, isDanger: memberAct(name).isDanger })),
  ];
  if (offered.length === 0) return null;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={buttonClass({ size: 'small' })} aria-label={`Change ${member.email}`}>
        <span className="hidden md:inline">Change</span>
        <CaretDownIcon aria-hidden className="hidden md:block" />
        <DotsHorizontalIcon aria-hidden className="md:hidden" />
      </DropdownMenu.Trigger>
      {/* Inside the `main` landmark, for screen readers. */}
      <DropdownMenu.Portal container={document.getElementById('content')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 min-w-52 rounded-xl border border-line bg-surface p-1.5 text-ink shadow-soft"
          // Only when the menu is closed, so that the dialog knows which button gets the focus back.
          onCloseAutoFocus={() => {
            if (chosen.current !== undefined) onChoose(chosen.current);
            chosen.current = undefined;
          }}
        >
          {offered.map(({ name, label, isDanger }) => (
            <DropdownMenu.Item
              key={name}
              onSelect={() => {
                chosen.current = name;
              }}
              className={`cursor-pointer rounded-lg px-3 py-2 outline-none data-highlighted:bg-sunken ${isDanger ? 'text-bad' : ''}`}
            >
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
