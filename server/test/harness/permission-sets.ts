import { type MemberPermission, memberPermissions } from '../../src/platform/authentication/permissions.ts';

/** Each permission that own roles may have, but for some, and each pair of them. */
export function permissionSets(without: readonly MemberPermission[] = []): MemberPermission[][] {
  const all = memberPermissions.filter((one) => one !== 'members' && !without.includes(one));
  return all.flatMap((one, index) => [[one], ...all.slice(index + 1).map((other) => [one, other])]);
}
