/* A page of sessions: which are shown, steps and sessions by keys, folding. */

const steps = [...document.querySelectorAll('.step')];
const boxes = [...document.querySelectorAll('.show')];
let current = 0;

function shown() {
  return boxes.filter((box) => box.checked).map((box) => Number(box.value));
}
function show(columns) {
  for (const box of boxes) box.checked = columns.includes(Number(box.value));
  for (const cell of document.querySelectorAll('.cell')) cell.hidden = !columns.includes(Number(cell.dataset.column));
  document.body.dataset.columns = String(columns.length);
}
function remember() {
  const state = readState();
  state.set('step', String(current + 1));
  if (boxes.length > 1) state.set('show', shown().join(','));
  writeState(state);
}
function goTo(index) {
  if (!steps.length) return;
  current = Math.max(0, Math.min(steps.length - 1, index));
  for (const [at, step] of steps.entries()) step.classList.toggle('current', at === current);
  steps[current].scrollIntoView({ block: 'start' });
  steps[current].focus({ preventScroll: true });
  remember();
}
function restore() {
  const state = readState();
  const wanted = (state.get('show') ?? '').split(',').filter(Boolean).map(Number).filter((n) => n < boxes.length);
  show(wanted.length ? wanted : boxes.slice(0, 2).map((box) => Number(box.value)));
  if (state.has('step')) goTo(Number(state.get('step')) - 1 || 0);
}
function toggle(column) {
  if (column >= boxes.length) return;
  boxes[column].checked = !boxes[column].checked;
  choose();
}
function choose() {
  show(shown().length ? shown() : [0]);
  remember();
}
function compareNext() {
  const columns = shown();
  if (boxes.length < 2) return;
  const others = boxes.map((_, at) => at).filter((at) => at !== columns[0]);
  const next = others[(others.indexOf(columns[1] ?? -1) + 1) % others.length];
  show([columns[0], next]);
  remember();
}
function fold() {
  const open = document.body.dataset.open !== 'yes';
  document.body.dataset.open = open ? 'yes' : 'no';
  for (const details of document.querySelectorAll('details')) details.open = open;
  byId('fold').textContent = open ? 'Fold all' : 'Unfold all';
}

/* The overview says which sessions it listed; without it the pages stand in the order of the run. */
function listed() {
  try { return JSON.parse(sessionStorage.getItem(listKey())) ?? []; } catch { return []; }
}
function link(id, distance) {
  const list = listed();
  const name = decodeURIComponent(location.pathname.split('/').pop());
  const at = list.findIndex((entry) => entry[0] === name);
  if (at < 0) return;
  const entry = list[at + distance];
  if (entry) byId(id).href = `${encodeURIComponent(entry[0])}#${entry[1]}`;
  else byId(id).removeAttribute('href');
}
link('before', -1);
link('after', 1);
const follow = (id) => { if (byId(id).href) location.href = byId(id).href; };

Object.assign(KEYS, {
  j: () => goTo(document.querySelector('.current') ? current + 1 : 0),
  k: () => goTo(current - 1),
  '[': () => follow('before'),
  ']': () => follow('after'),
  c: compareNext,
  f: fold,
  u: () => { location.href = byId('up').href; },
  '/': () => { location.href = `${byId('up').href}#find`; },
});
for (let number = 1; number <= 9; number += 1) KEYS[String(number)] = () => toggle(number - 1);
for (const box of boxes) box.addEventListener('change', choose);
for (const button of document.querySelectorAll('.enlarge')) {
  button.addEventListener('click', () => {
    const large = button.closest('.triple').classList.toggle('large');
    button.setAttribute('aria-expanded', String(large));
    button.textContent = large ? 'as before' : 'enlarge';
  });
}
for (const anchor of document.querySelectorAll('a[href^="#step="]')) {
  anchor.addEventListener('click', (event) => {
    event.preventDefault(); // which sessions are shown stays as it is
    goTo(Number(anchor.getAttribute('href').slice(6)) - 1);
  });
}
byId('fold').addEventListener('click', fold);
addEventListener('hashchange', restore);
restore();
