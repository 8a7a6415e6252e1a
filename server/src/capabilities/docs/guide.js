// Makes the documentation quicker to use: copy buttons, tabs of languages, and `/` for the search. Everything is readable
// without it.

const LANGUAGE = 'bestow-docs-language';

/** @param {string} text @param {string} className */
function button(text, className) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.className = className;
  return made;
}

for (const pre of navigator.clipboard ? document.querySelectorAll('pre[data-language]') : []) {
  const copy = button('', 'copy');
  const say = (word) => {
    copy.textContent = word;
    copy.setAttribute('aria-label', `${word} ${pre.getAttribute('aria-label')}`);
  };
  say('Copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent.trimEnd());
    say('Copied');
    setTimeout(say, 1_500, 'Copy');
  });
  const sample = document.createElement('div');
  sample.className = 'sample';
  pre.before(sample);
  sample.append(pre, copy);
}

const groups = [...document.querySelectorAll('.samples')].map((samples, number) => {
  const panels = [...samples.children].map((panel, index) => {
    panel.id = `sample-${number}-${index}`;
    panel.setAttribute('role', 'tabpanel');
    const { language, label = language } = (panel.querySelector('pre') ?? panel).dataset;
    return { panel, language, label };
  });
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = panels.map(({ panel, language, label }, index) => {
    const tab = button(label, 'tab');
    tab.id = `${panel.id}-tab`;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => keep(language));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step === undefined) return;
      keep(panels.at((index + step) % panels.length).language);
      tabs.at((index + step) % tabs.length).focus();
    });
    list.append(tab);
    return tab;
  });
  samples.prepend(list);
  samples.classList.add('chosen');
  return { panels, tabs };
});

/** Shows a language in every group that has it. */
function choose(language) {
  for (const { panels, tabs } of groups) {
    const chosen = panels.findIndex((panel) => panel.language === language);
    for (const [index, { panel }] of panels.entries()) {
      const isShown = index === Math.max(0, chosen);
      panel.hidden = !isShown;
      tabs[index].setAttribute('aria-selected', `${isShown}`);
      tabs[index].tabIndex = isShown ? 0 : -1;
    }
  }
}
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector('#q').focus();
});

/** Chooses a language for the next pages too. */
function keep(language) {
  choose(language);
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // The browser keeps nothing: the choice is for this page only.
  }
}

function kept() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

choose(kept() ?? 'Shell');

// The list of pages is longer than a window: show where the page stands in it.
const list = document.querySelector('.guides');
const current = list?.querySelector('[aria-current]');
if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;

/** Marks the heading that is being read under “On this page”. */
const headings = [...document.querySelectorAll('.contents a')].map((link) => ({
  link,
  place: document.getElementById(link.hash.slice(1)),
}));
function markHeading() {
  const passed = headings.findLast(({ place }) => place.getBoundingClientRect().top < innerHeight / 4);
  for (const { link } of headings) link.removeAttribute('aria-current');
  passed?.link.setAttribute('aria-current', 'location');
}
let isMarking = false;
document.addEventListener(
  'scroll',
  () => {
    if (isMarking) return;
    isMarking = true;
    requestAnimationFrame(() => {
      isMarking = false;
      markHeading();
    });
  },
  { passive: true },
);
markHeading();
