"""The words of the first question of a long session, its gold code, and the gold thoughts."""

from pathlib import Path

from cibench_eval.sets.long.asking import Ask
from cibench_eval.sets.long.domains import Domain
from cibench_eval.sets.long.words import Words


def first_cell(domain: Domain, folder: str) -> str:
    """The gold code of the first question; `folder` has the session's files."""
    code = Path(__file__).with_name('first_cell.txt').read_text(encoding='utf-8').rstrip()
    given = {'path': f'{folder}/{domain.file}', 'when': domain.columns['when'], 'key': domain.columns['id']}
    for name, value in given.items():
        code = code.replace(f'{{{name}}}', value)
    return code


def conventions(words: Words, path: str) -> str:
    """The first question: the file, what holds throughout, and how many rows there are."""
    columns = words.pick(', ', '、').join(f'`{name}`' for name in words.domain.columns.values())
    text = Path(__file__).with_name(f'conventions_{words.language}.txt').read_text(encoding='utf-8').strip()
    return text.format(path=path, row=words.row, rows=words.rows, columns=columns)


def thought(words: Words, ask: Ask | None) -> str:
    """The gold thought of a step."""
    if ask is None:
        return words.pick(
            'Changes and definitions are kept apart from the loaded table, so that each can be taken back.',
            '改动和定义与读入的表分开保存，这样每一项都能撤销。',
        )
    if ask.then:
        return words.pick(
            'The other state is made beside the one of now, which stays.', '另建所问的状态，现在的状态不变。'
        )
    return words.pick(
        'The answer follows from the table and the definitions that are in force.', '答案由现在的表和有效的定义得出。'
    )
