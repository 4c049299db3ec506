/* The overview: the list of steps or sessions, its filters, its order, and all of that in the address. */

const DATA = JSON.parse(byId('data').textContent);
const PER_PAGE = 200;
const FILTERS = ['model', 'split', 'mode', 'library', 'kind', 'outcome', 'category', 'cause', 'agreement'];
const FAILED = 'failed';
const word = (place) => (place === undefined ? '' : DATA.words[place]);
const spaced = (text) => text.replaceAll('_', ' ');

const sessions = DATA.sessions.map(([page, column, model, epoch, split, mode, experiment, library, tokens, seconds, gold]) => ({
  page: word(page), column, model: word(model), epoch, split: word(split), mode: word(mode),
  experiment: word(experiment), library: word(library), tokens, seconds, gold,
}));
const caseOf = (session) => `${session.split} ${session.mode} ${session.experiment}`;
let profile = 0;
let rows = [];
let found = [];
let at = 0;
let cursor = -1;
let order = '';
let bySession = new Map();
let same = new Set();
let columns = [];
const labels = [...new Set(sessions.map((one) => one.model))];
const golds = new Set(sessions.filter((one) => one.gold).map((one) => one.model));

/* The rows by the chosen profile. */
function read() {
  rows = DATA.steps.map(([session, number, kind, attempts, tokens, marks]) => {
    const [place, right, values, category, cause, evidence, followed] = marks[profile] || [];
    const outcome = place === undefined ? 'not scored' : word(place);
    return {
      session: sessions[session], number, kind: word(kind), attempts, tokens,
      outcome, values: values ?? [], right: right ?? null,
      failed: !['correct', 'ran', 'not scored'].includes(outcome),
      category: word(category), cause: word(cause), evidence: evidence ?? '', followed: Boolean(followed), agreement: '',
    };
  });
  const ends = rows.filter((row) => row.right !== null);
  for (const those of Map.groupBy(ends, (row) => `${caseOf(row.session)} ${row.number}`).values()) {
    const own = those.filter((row) => !row.session.gold);
    const shares = [...Map.groupBy(own, (row) => row.session.model).values()].map(percent);
    if (shares.length < 2) continue;
    const agreement = new Set(shares).size > 1 ? 'differ' : ({ 0: 'none right', 100: 'all right' }[shares[0]] ?? '');
    for (const row of those) row.agreement = agreement;
  }
  bySession = Map.groupBy(rows, (row) => row.session);
  const once = (of) => new Set(sessions.map(of)).size < 2;
  same = new Set(['split', 'mode'].filter((name) => once((one) => one[name])));
  if (once((one) => `${one.model} ${one.epoch}`)) same.add('model');
  const failed = rows.filter((row) => row.failed).length;
  byId('failed').textContent = failed ? `${failed.toLocaleString('en')} failed steps ↓` : 'List ↓';
}
const field = (row, name) => (name in row ? row[name] : row.session[name]);

const STEP_COLUMNS = [
  ['experiment', 'Experiment', (row) => row.session.experiment],
  ['number', 'Step', (row) => row.number],
  ['outcome', 'Outcome', (row) => row.outcome],
  ['model', 'Model', (row) => row.session.model + (row.session.epoch > 1 ? ` @${row.session.epoch}` : '')],
  ['split', 'Split', (row) => row.session.split],
  ['mode', 'Mode', (row) => row.session.mode],
  ['kind', 'Kind', (row) => row.kind],
  ['attempts', 'Attempts', (row) => row.attempts],
  ...DATA.metrics.map((name, place) => [name, name, (row) => row.values[place] ?? null]),
  ['tokens', 'Tokens', (row) => row.tokens || null],
  ['cause', 'Cause', (row) => (row.cause ? `${row.category}/${row.cause}${row.followed ? ', followed' : ''}: ${row.evidence}` : '')],
];
const SESSION_COLUMNS = [
  ['experiment', 'Experiment', (one) => one.session.experiment],
  ['model', 'Model', (one) => one.session.model + (one.session.epoch > 1 ? ` @${one.session.epoch}` : '')],
  ['split', 'Split', (one) => one.session.split],
  ['mode', 'Mode', (one) => one.session.mode],
  ['steps', 'Steps', (one) => one.steps.length],
  ['right', 'Right', (one) => one.right],
  ['share', 'Right %', (one) => percent(one.steps)],
  ['ends', 'How steps ended', () => ' '],
  ['attempts', 'Attempts', (one) => one.attempts],
  ['tokens', 'Tokens', (one) => one.session.tokens || null],
  ['seconds', 'Seconds', (one) => one.session.seconds || null],
];
const COMPARED_COLUMNS = [
  ['experiment', 'Experiment', (one) => one.session.experiment],
  ['split', 'Split', (one) => one.session.split],
  ['mode', 'Mode', (one) => one.session.mode],
  ['steps', 'Steps', (one) => one.steps],
  ...labels.map((label) => [`share ${label}`, label, (one) => one.shares.get(label) ?? null]),
  ['spread', 'Spread', (one) => spread([...one.shares].filter(([label, value]) => value !== null && !golds.has(label)).map(([, value]) => value))],
];
const COLUMNS = { steps: STEP_COLUMNS, sessions: SESSION_COLUMNS, models: COMPARED_COLUMNS };
const view = () => document.querySelector('[name=view]:checked').value;
const spread = (shares) => (shares.length > 1 ? Math.max(...shares) - Math.min(...shares) : null);
const blank = (value) => (value ?? '') === '';

/* The sessions that have any of these steps, each with all its steps. */
const right = (steps) => steps.filter((row) => row.right).length;
/* The share of right steps among those on which something decides; null where it decides on none. */
function percent(steps) {
  const decided = steps.filter((row) => row.right !== null).length;
  return decided ? Math.round((100 * right(steps)) / decided) : null;
}
function grouped(those) {
  return [...new Set(those.map((row) => row.session))].map((session) => {
    const steps = bySession.get(session);
    return { session, steps, right: right(steps), attempts: steps.reduce((sum, row) => sum + row.attempts, 0) };
  });
}
/* The experiments that have any of these steps, each with the share of right steps of every model. */
function compared(those) {
  return [...Map.groupBy(grouped(those), (one) => caseOf(one.session)).values()].map((group) => {
    const own = Map.groupBy(group, (one) => one.session.model);
    const shares = new Map([...own].map(([label, ones]) => [label, percent(ones.flatMap((one) => one.steps))]));
    return { session: group[0].session, steps: group[0].steps.length, shares, others: group.filter((one) => one.session.page === group[0].session.page).map((one) => one.session.column) };
  });
}
const SHOWN = { steps: (those) => those, sessions: grouped, models: compared };

function matches(row, wanted, words) {
  const fits = ([name, value]) => (name === 'outcome' && value === FAILED ? row.failed : String(field(row, name)) === value);
  if (!wanted.every(fits)) return false;
  const id = `${row.session.experiment}:${row.number} ${row.session.model} ${row.session.split}`.toLowerCase();
  return words.every((one) => (/:\d+$/.test(one) ? `${id.split(' ')[0]} `.includes(`${one} `) : id.includes(one)));
}
function compare(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}
/* Without an order: failed steps first. */
function sorted(those) {
  const name = order.replace(/^-/, '');
  const column = COLUMNS[view()].find(([own]) => own === name);
  if (!column) return [...those.filter((one) => one.failed), ...those.filter((one) => !one.failed)];
  const sign = order.startsWith('-') ? -1 : 1;
  const value = column[2];
  return [...those].sort((a, b) => {
    const [first, second] = [value(a), value(b)];
    if (blank(first) || blank(second)) return blank(first) - blank(second);
    return sign * compare(first, second);
  });
}

const hrefOf = (one, step, others) => `step=${step}&show=${others ? others.slice(0, 2).join(',') : one.column}`;
function element(name, text, cls) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (cls) made.className = cls;
  return made;
}
/* A name breaks after its slashes and underscores, and nowhere within a word. */
function named(made, text) {
  for (const part of text.split(/(?<=[/_])(?=[^/_])/)) made.append(part, document.createElement('wbr'));
  return made;
}
function anchor(session, step, text, others) {
  const made = named(element('a'), String(text));
  made.href = `sessions/${encodeURIComponent(session.page)}#${hrefOf(session, step, others)}`;
  return made;
}
function cell(name, value, one) {
  if (name === 'experiment') {
    const made = element('th');
    made.scope = 'row';
    made.append(anchor(one.session, one.number ?? 1, value, one.others));
    return made;
  }
  if (name === 'ends') {
    const made = element('td', null, 'strip');
    for (const step of one.steps) {
      const link = anchor(one.session, step.number, step.number);
      link.className = step.outcome.replaceAll(' ', '_');
      link.title = `step ${step.number}: ${spaced(step.outcome)}`;
      made.append(link);
    }
    return made;
  }
  if (name === 'outcome') {
    const made = element('td');
    made.append(element('span', spaced(value), `outcome ${value.replaceAll(' ', '_')}`));
    return made;
  }
  if (blank(value)) return element('td');
  if (name === 'model') return named(element('td'), value);
  if (name === 'mode') return element('td', value.replaceAll('_', '-'));
  if (name === 'seconds') return element('td', value.toFixed(1), 'number');
  if (name.startsWith('share ')) return element('td', String(value), `number fifth-${Math.floor(value / 20)}`);
  if (DATA.metrics.includes(name)) return element('td', value.toFixed(2), 'number');
  if (typeof value === 'number') return element('td', value.toLocaleString('en'), 'number');
  return element('td', value, `of-${name}`);
}
function head() {
  const line = element('tr');
  for (const [name, title, value] of columns) {
    const made = element('th', null, found.some((one) => typeof value(one) === 'number') ? 'number' : '');
    made.scope = 'col';
    const button = element('button', title);
    button.type = 'button';
    const own = order.replace(/^-/, '') === name;
    if (own) made.setAttribute('aria-sort', order.startsWith('-') ? 'descending' : 'ascending');
    button.addEventListener('click', () => {
      order = own && !order.startsWith('-') ? `-${name}` : own ? '' : name;
      at = 0;
      update();
    });
    made.append(button);
    line.append(made);
  }
  return line;
}
function draw() {
  const list = found.slice(at, at + PER_PAGE);
  const [thead, tbody] = byId('rows').children;
  thead.replaceChildren(head());
  tbody.replaceChildren(...list.map((one) => {
    const line = element('tr');
    line.append(...columns.map(([name, title, value]) => {
      const made = cell(name, value(one), one);
      made.dataset.title = title;
      return made;
    }));
    return line;
  }));
  cursor = -1;
  const what = { steps: 'steps', sessions: 'sessions with such a step', models: 'experiments with such a step, and the share of their steps that each model has right, in %' };
  byId('count').textContent = `${found.length.toLocaleString('en')} ${what[view()]}`;
  byId('page').textContent = found.length ? `${at + 1}–${Math.min(at + PER_PAGE, found.length)} of ${found.length.toLocaleString('en')}` : 'nothing matches';
  byId('back').disabled = at === 0;
  byId('more').disabled = at + PER_PAGE >= found.length;
}

/* Sessions go by the list as it is here, on their own pages. */
function keepList() {
  const pages = new Map();
  for (const one of found.slice(0, 5000)) {
    const name = `${one.session.page} ${one.session.column}`;
    if (!pages.has(name)) pages.set(name, [one.session.page, hrefOf(one.session, one.number ?? 1, one.others)]);
  }
  const list = [...pages.values()].filter((entry, place, all) => !place || all[place - 1][0] !== entry[0]);
  try { sessionStorage.setItem(listKey(), JSON.stringify(list)); } catch { /* then in the order of the run */ }
}
function update() {
  const wanted = FILTERS.map((name) => [name, byId(name).value]).filter(([, value]) => value);
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const those = rows.filter((row) => matches(row, wanted, words));
  found = sorted(SHOWN[view()](those));
  columns = COLUMNS[view()].filter(([name, , value]) => !same.has(name) && found.some((one) => !blank(value(one))));
  if (at >= found.length) at = 0;
  draw();
  keepList();
  const state = new URLSearchParams(wanted);
  if (words.length) state.set('search', byId('search').value);
  if (view() !== 'steps') state.set('view', view());
  if (order) state.set('sort', order);
  if (at) state.set('from', String(at + 1));
  if (profile) state.set('profile', DATA.profiles[profile]);
  writeState(state);
}

function options(name) {
  const values = [...new Set(rows.map((row) => field(row, name)))].filter(Boolean);
  if (name !== 'model' && name !== 'split') values.sort(compare);
  if (name === 'outcome' && rows.some((row) => row.failed)) values.unshift(FAILED);
  const select = byId(name);
  const kept = select.value;
  select.replaceChildren(...['', ...values].map((value) => {
    const made = element('option', value ? spaced(value) : 'all');
    made.value = value;
    return made;
  }));
  select.value = values.includes(kept) ? kept : '';
  select.closest('label').hidden = new Set(rows.map((row) => field(row, name))).size < 2 && name !== 'cause';
}
function choose(name) {
  profile = Math.max(0, DATA.profiles.indexOf(name));
  for (const part of document.querySelectorAll('.profile')) part.hidden = part.dataset.profile !== DATA.profiles[profile];
  if (byId('profile')) byId('profile').value = DATA.profiles[profile];
  read();
  for (const one of FILTERS) options(one);
}
byId('models').closest('label').hidden = labels.length < 2;
function restore() {
  const state = readState();
  choose(state.get('profile') ?? DATA.profiles[0]);
  for (const name of FILTERS) byId(name).value = state.get(name) ?? '';
  byId('search').value = state.get('search') ?? '';
  for (const radio of document.querySelectorAll('[name=view]')) radio.checked = radio.value === (state.get('view') ?? 'steps');
  order = state.get('sort') ?? '';
  at = Math.max(0, (Number(state.get('from')) || 1) - 1);
  const search = state.has('find');
  const seen = ['search', 'from', 'sort', 'view', ...FILTERS].some((name) => state.has(name));
  update();
  if (search) byId('search').focus();
  else if (seen) byId('list-title').scrollIntoView();
}
function turn(pages) {
  const next = at + pages * PER_PAGE;
  if (next < 0 || next >= found.length) return;
  at = next;
  update();
  byId('list-title').scrollIntoView();
}
function move(by) {
  const lines = [...byId('rows').tBodies[0].rows];
  if (!lines.length) return;
  cursor = Math.max(0, Math.min(lines.length - 1, cursor + by));
  lines[cursor].querySelector('a').focus();
  lines[cursor].scrollIntoView({ block: 'nearest' });
}
function otherView() {
  const all = [...document.querySelectorAll('label:not([hidden]) > [name=view]')];
  all[(all.findIndex((one) => one.checked) + 1) % all.length].checked = true;
  at = 0;
  update();
}

Object.assign(KEYS, {
  '/': () => { byId('search').focus(); byId('search').select(); },
  j: () => move(1),
  k: () => move(-1),
  ']': () => turn(1),
  '[': () => turn(-1),
  s: otherView,
  l: () => byId('list-title').scrollIntoView(),
});
byId('failed').addEventListener('click', () => {
  byId('outcome').value = rows.some((row) => row.failed) ? FAILED : '';
  at = 0;
  update();
  KEYS.l();
});
byId('filters').addEventListener('input', () => { at = 0; update(); });
byId('filters').addEventListener('submit', (event) => event.preventDefault());
byId('filters').addEventListener('reset', () => { order = ''; at = 0; setTimeout(update); });
byId('back').addEventListener('click', () => turn(-1));
byId('more').addEventListener('click', () => turn(1));
byId('profile')?.addEventListener('change', (event) => { choose(event.target.value); at = 0; update(); });
addEventListener('hashchange', restore);
restore();
