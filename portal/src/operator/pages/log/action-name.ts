const special: Readonly<Record<string, string>> = {
  beginOperatorSession: 'Signed in',
  endOperatorSession: 'Signed out',
  showGift: 'Looked at a gift',
};

/** In words what the server calls `suspendOrganization`: `Suspend organization`. */
export function actionName(action: string): string {
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return special[action] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
