/** The roles of members, in the order of their power: what people call them, and what they allow. */
export const roles = {
  admin: { name: 'Admin', words: 'an admin', says: 'Admins can view everything and make changes.' },
  sender: {
    name: 'Sender',
    words: 'a sender',
    says: 'Senders can send gifts within limits, and see what they or their team sent.',
  },
  approver: { name: 'Approver', words: 'an approver', says: 'Approvers decide requests for gifts.' },
  support: {
    name: 'Support',
    words: 'a member of support',
    says: 'Support can find, resend, redirect and hold gifts, but spend nothing.',
  },
  finance: {
    name: 'Finance',
    words: 'a member of finance',
    says: 'Finance can see the balance and statements, and top up.',
  },
  viewer: { name: 'Viewer', words: 'a viewer', says: 'Viewers see gifts and the balance, with masked addresses.' },
  member: { name: 'Member', words: 'a member', says: 'Members can view everything but change nothing.' },
} as const;

/** What people call a role; an own one has its name from the server. */
export const roleWords = (role: string) =>
  Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : { name: 'Own role', words: 'a member', says: '' };
