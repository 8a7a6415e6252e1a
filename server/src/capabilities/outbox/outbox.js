// Shows times in the reader's zone, and a mail without a scroller of its own. Everything is readable without it.

const english = navigator.languages.find((language) => /^en\b/i.test(language)) ?? 'en-US';
const inZone = new Intl.DateTimeFormat(english, { dateStyle: 'medium', timeStyle: 'medium' });
const { timeZone } = inZone.resolvedOptions();

/** As the portal names it, such as `Europe/Berlin (GMT+1)`. */
function zoneName() {
  const parts = new Intl.DateTimeFormat(english, { timeZoneName: 'shortOffset' }).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return timeZone === 'UTC' || timeZone === offset ? 'UTC' : `${timeZone.replaceAll('_', ' ')} (${offset})`;
}

for (const time of document.querySelectorAll('time')) {
  time.title = time.textContent;
  time.textContent = inZone.format(new Date(time.dateTime));
}
for (const zone of document.querySelectorAll('.zone')) zone.textContent = `Times are in ${zoneName()}.`;

/** The frame's document may be measured, and runs no script. @param {HTMLIFrameElement} frame */
function showWhole(frame) {
  const grow = () => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    frame.style.height = '0';
    frame.style.height = `${root.scrollHeight + frame.offsetHeight - frame.clientHeight}px`;
  };
  frame.addEventListener('load', grow);
  addEventListener('resize', grow);
  if (frame.contentDocument?.readyState === 'complete') grow();
}
for (const frame of document.querySelectorAll('.mail iframe')) showWhole(frame);
