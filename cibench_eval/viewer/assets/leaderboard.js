/* The leaderboard: its tables sorted by any column, models that are searched for, and both in the address. */

const boards = [...document.querySelectorAll('.board')].map((table) => ({
  table, rows: [...table.tBodies[0].rows], buttons: [...table.tHead.querySelectorAll('button')], order: '',
}));
const nameOf = (row) => row.cells[0].dataset.value.toLowerCase();

/* Numbers by size, the rest as words; empty ones last, whichever way round. */
function sorted(board) {
  const place = board.buttons.findIndex((one) => one.dataset.column === board.order.replace(/^-/, ''));
  if (place < 0) return board.rows;
  const sign = board.order.startsWith('-') ? -1 : 1;
  const value = (row) => row.cells[place].dataset.value;
  return [...board.rows].sort((a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first === '' || second === '') return (first === '') - (second === '');
    return sign * (isNaN(first) || isNaN(second) ? first.localeCompare(second, undefined, { numeric: true }) : first - second);
  });
}
function draw() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const state = new URLSearchParams();
  let shown = 0;
  let all = 0;
  for (const board of boards) {
    board.table.tBodies[0].replaceChildren(...sorted(board));
    for (const row of board.rows) {
      row.hidden = !words.every((word) => nameOf(row).includes(word));
      shown += !row.hidden;
      all += 1;
    }
    for (const button of board.buttons) {
      const own = board.order.replace(/^-/, '') === button.dataset.column;
      if (own) button.parentElement.setAttribute('aria-sort', board.order.startsWith('-') ? 'descending' : 'ascending');
      else button.parentElement.removeAttribute('aria-sort');
    }
    if (board.order) state.set(board.table.id, board.order);
  }
  byId('count').textContent = shown === all ? `${all} rows` : `${shown} of ${all} rows`;
  if (words.length) state.set('search', byId('search').value);
  writeState(state);
}
/* The best first, then the worst, then as it was; names the other way round. */
function turn(board, column) {
  const words = column === 'Model' || board.buttons.find((one) => one.dataset.column === column)?.parentElement.classList.contains('words');
  const ways = words ? [column, `-${column}`, ''] : [`-${column}`, column, ''];
  board.order = ways[(ways.indexOf(board.order) + 1) % ways.length];
  draw();
}
function restore() {
  const state = readState();
  for (const board of boards) board.order = state.get(board.table.id) ?? '';
  byId('search').value = state.get('search') ?? '';
  draw();
}

KEYS['/'] = () => { byId('search').focus(); byId('search').select(); };
for (const board of boards) {
  for (const button of board.buttons) button.addEventListener('click', () => turn(board, button.dataset.column));
}
byId('search').addEventListener('input', draw);
addEventListener('hashchange', restore);
restore();
