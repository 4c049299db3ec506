"""How a question calls an earlier step: by its number, or by what was told or asked in it."""

from dataclasses import dataclass
from random import Random

from cibench_eval.sets.long.changes import Fixes, Late
from cibench_eval.sets.long.definitions import Definition
from cibench_eval.sets.long.memory import Memory
from cibench_eval.sets.long.words import Words


@dataclass(frozen=True)
class Reference:
    """An earlier step."""

    step: int
    how: str = 'number'
    """`number`; `asked`, the last one that asked for a figure; `defined`, the one that defined something; `saved`, the
    one that saved a state; `file`, the one in which a file came."""
    name: str = ''
    definition: Definition | None = None

    def say(self, words: Words) -> str:
        """Such as: step 12."""
        if self.how == 'saved':
            return words.pick(
                f'the step in which I had you save “{self.name}”', f'我让你保存“{words.name(self.name)}”的那一步'
            )
        if self.how == 'file':
            return words.pick(f'the step in which the file `{self.name}` came', f'文件 `{self.name}` 到来的那一步')
        if self.definition is None:
            return words.pick(f'step {self.step}', f'第 {self.step} 步')
        noun = self.definition.noun(self.name, words)
        if self.how == 'defined':
            return words.pick(f'the step in which I first defined {noun}', f'我首次定义{noun}的那一步')
        return words.pick(
            f'the last step before this one in which I asked for {noun}', f'在此之前我最近一次问到{noun}的那一步'
        )


def refer(memory: Memory, step: int, rng: Random, indirect: float) -> Reference:
    """A reference to an earlier step: with the probability `indirect` by what happened in it, if that can be said."""
    if rng.random() >= indirect:
        return Reference(step)
    found = []
    last = {name: asked for asked, name in memory.asked}
    for name in sorted(name for name, asked in last.items() if asked == step and name in memory.now.versions):
        found.append(Reference(step, 'asked', name, memory.now.versions[name].definition))
    before = memory.history[step - 2].versions if step > 1 else {}
    for name in sorted(memory.history[step - 1].versions.keys() - before.keys() - memory.returned):
        found.append(Reference(step, 'defined', name, memory.history[step - 1].versions[name].definition))
    found += [Reference(step, 'saved', name) for name, (_, saved) in memory.saved.items() if saved == step]
    change = memory.now.changes.get(step)
    if isinstance(change, Late | Fixes):
        found.append(Reference(step, 'file', change.file))
    return rng.choice(found) if found else Reference(step)
