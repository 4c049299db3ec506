'use strict';
// The token comes after the #, which no browser sends anywhere; every request has it in a header.
const [token, ...rest] = location.hash.slice(1).split('&');
const $ = (selector, inside = document) => inside.querySelector(selector);
const FIELDS = ['question', 'thought', 'code'];
let set = null;
let current = null;

const draftKey = (id, step) => `cibench-review:${set.path}:${id}:${step}`;

async function call(path, body) {
  const options = { headers: { 'X-Token': token } };
  if (body) Object.assign(options, { method: 'POST', body: JSON.stringify(body) });
  let answer, said;
  try {
    answer = await fetch(path, options);
    said = await answer.json();
  } catch (error) {
    answer = { ok: false };
    said = { error: 'The program does not answer. Start it again by the same command; what you typed is kept on this page.' };
  }
  $('#problem').hidden = answer.ok;
  $('#problem').textContent = answer.ok ? '' : said.error;
  return answer.ok ? said : null;
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

async function showSet() {
  set = await call('api/set') || set;
  if (!set) return;
  document.title = `Review of ${set.name}`;
  $('#name').textContent = set.name;
  const sum = (key) => set.notebooks.reduce((total, one) => total + one[key], 0);
  $('#progress').textContent =
    `${sum('accepted')} accepted, ${sum('rejected')} rejected, ${sum('steps') - sum('accepted') - sum('rejected')} not reviewed, of ${sum('steps')} steps`;
  $('#notebooks').replaceChildren(...set.notebooks.map((one) => {
    const button = element('button', one.notebook);
    button.dataset.id = one.notebook;
    button.append(element('span', `${one.accepted + one.rejected}/${one.steps}${one.rejected ? ' ✗' : one.accepted === one.steps ? ' ✓' : ''}`, 'soft'));
    button.setAttribute('aria-current', one.notebook === current);
    button.onclick = () => showNotebook(one.notebook);
    return button;
  }));
}

async function showNotebook(id, known, focus) {
  const notebook = known || await call(`api/notebook?id=${encodeURIComponent(id)}`);
  if (!notebook) return;
  current = id;
  history.replaceState(null, '', `#${token}&${encodeURIComponent(id)}`);
  const general = notebook.findings.length ? [findingsOf(notebook.findings)] : [];
  $('#steps').replaceChildren(...general, ...notebook.steps.map((step) => articleOf(id, step)));
  await showSet();
  if (focus) document.getElementById(`step-${focus}`)?.focus();
}

function findingsOf(findings, list = element('ul', undefined, 'findings')) {
  list.replaceChildren(...findings.map((one) => element('li', `${one.code}: ${one.text} (${one.fix})`, one.severity)));
  return list;
}

function articleOf(id, step) {
  const article = $('#step').content.cloneNode(true).firstElementChild;
  const part = (name) => $(`.${name}`, article);
  article.id = `step-${step.step}`;
  article.dataset.state = step.decision || 'open';
  part('number').textContent = `Step ${step.step}`;
  part('kind').textContent = step.kind;
  part('modules').textContent = step.modules.join(' & ');
  part('state').textContent = (step.decision || 'not reviewed') + (step.edited ? ', edited' : '');
  part('outputs').replaceChildren(...step.outputs.map(outputOf));
  findingsOf(step.findings, part('findings'));
  part('facts').textContent = [step.seconds === null ? '' : `${step.seconds.toFixed(2)} s`, ...step.files].filter(Boolean).join(' · ');
  part('note').value = step.note;
  part('decided').textContent = step.decision ? `${step.decision}${step.by ? ` by ${step.by}` : ''}, ${step.at}` : '';
  const kept = JSON.parse(localStorage.getItem(draftKey(id, step.step)) || 'null');
  const draft = kept && kept.content === step.content ? kept : step.unmade;
  part('pending').hidden = !step.unmade || draft !== step.unmade;
  for (const name of FIELDS) part(name).value = draft ? draft[name] : step[name];
  if (kept && kept.content === step.content && kept.note !== undefined && !step.decision) part('note').value = kept.note;
  const ticked = step.decision ? step.checks : (kept && kept.content === step.content && kept.checks) || {};
  part('checks').replaceChildren(...Object.entries(set.checklist).map(([name, says]) => {
    const label = element('label');
    const box = element('input');
    box.type = 'checkbox';
    box.name = name;
    box.checked = Boolean(ticked[name]);
    label.append(box, says);
    return label;
  }));
  wire(id, step, article, part);
  return article;
}

function outputOf(output) {
  if (!output.png) return element('pre', output.text);
  const image = element('img');
  image.src = `data:image/png;base64,${output.png}`;
  image.alt = 'figure of the gold code';
  return image;
}

function wire(id, step, article, part) {
  const texts = () => Object.fromEntries(FIELDS.map((name) => [name, part(name).value]));
  const checks = () => Object.fromEntries([...article.querySelectorAll('.checks input')].map((box) => [box.name, box.checked]));
  const update = () => {
    let changed = false;
    for (const name of FIELDS) {
      const other = part(name).value !== step[name];
      part(name).classList.toggle('changed', other);
      changed = changed || other;
    }
    part('edit').hidden = !changed;
    part('accept').disabled = changed || !Object.values(checks()).every(Boolean);
    part('reject').disabled = changed || !part('note').value.trim();
    part('reject').title = part('note').value.trim() ? '' : 'Write why into the note first.';
  };
  const forget = () => localStorage.removeItem(draftKey(id, step.step));
  const keep = () => {
    update();
    const draft = { ...texts(), content: step.content, checks: checks(), note: part('note').value };
    localStorage.setItem(draftKey(id, step.step), JSON.stringify(draft));
  };
  const decide = async (decision) => {
    const body = { notebook: id, step: step.step, content: step.content, decision, checks: checks(), note: part('note').value };
    const found = await call('api/decide', body);
    if (found) { forget(); await showNotebook(id, found, step.step); }
  };
  article.oninput = keep;
  part('accept').onclick = () => decide('accepted');
  part('reject').onclick = () => decide('rejected');
  part('undo').onclick = () => {
    for (const name of FIELDS) part(name).value = step[name];
    part('pending').hidden = true;
    keep();
  };
  part('run').onclick = async () => {
    part('run').disabled = true;
    part('run').textContent = 'Running…';
    const found = await call('api/edit', { notebook: id, step: step.step, content: step.content, text: texts() });
    if (found) { forget(); await showNotebook(id, found, step.step); }
    part('run').disabled = false;
    part('run').textContent = 'Save and run';
  };
  update();
}

document.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /TEXTAREA|INPUT/.test(event.target.tagName)) return;
  const all = [...document.querySelectorAll('article')];
  const at = all.indexOf(document.activeElement.closest('article'));
  const next = { j: all[Math.min(at + 1, all.length - 1)], k: all[Math.max(at - 1, 0)],
    n: all.find((one, place) => place > at && one.dataset.state === 'open') }[event.key];
  if (next) { next.focus(); next.scrollIntoView({ block: 'start' }); event.preventDefault(); }
};

(async () => {
  await showSet();
  if (set && set.notebooks.length) await showNotebook(rest.length ? decodeURIComponent(rest[0]) : set.notebooks[0].notebook);
})();
