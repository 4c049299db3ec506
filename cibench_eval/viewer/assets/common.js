'use strict';
/* What all pages share: theme, help, keys, and the state in the address. */

const stored = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* the browser keeps nothing */ } },
};
const byId = (id) => document.getElementById(id);
const THEMES = ['system', 'light', 'dark'];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = `Theme: ${theme}`;
  stored.set('cibench-theme', theme);
}
function nextTheme() {
  setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
}
setTheme(THEMES.includes(stored.get('cibench-theme')) ? stored.get('cibench-theme') : 'system');
byId('theme').addEventListener('click', nextTheme);
byId('keys').addEventListener('click', () => byId('help').showModal());

/* What the overview listed last, for the pages of its own report. */
const listKey = () => `cibench-listed ${location.pathname.replace(/(sessions\/)?[^/]*$/, '')}`;

/* The state comes after # as a query, so that any view is a link. */
const readState = () => new URLSearchParams(location.hash.slice(1));
function writeState(state) {
  const text = state.toString();
  if (text !== location.hash.slice(1)) history.replaceState(null, '', `#${text}`);
}

const KEYS = { t: nextTheme, '?': () => byId('help').showModal() };
document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
  if (event.key === 'Escape' && typing) event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
  if (Object.hasOwn(KEYS, event.key)) {
    event.preventDefault();
    KEYS[event.key]();
  }
});
