"""A judge of text answers: right or wrong, against the gold's."""

from cibench_eval.evaluators.judges.base import Judge, JudgedStep, own_prompts, quoted, text_part
from cibench_eval.evaluators.judges.verdicts import right
from cibench_eval.models.base import ChatModel
from cibench_eval.schema import Part


class TextJudge(Judge):
    """Right or wrong for a text answer.

    With `both_orders` it asks a second time, the gold answer last, and takes the mean.
    """

    metric = 'text'
    kinds = ('num', 'text', 'general')
    scale = staticmethod(right)

    def __init__(self, model: ChatModel, both_orders: bool = False, retries: int = 2) -> None:
        super().__init__(model, retries)
        self.both_orders = both_orders

    def nothing(self, step: JudgedStep) -> str:
        return 'no answer'

    def questions(self, step: JudgedStep) -> list[list[Part]]:
        if not step.answer.strip():
            return []
        prompts = own_prompts(step.language)
        pair = [f'{prompts["gold_answer"]}\n{quoted(step.gold_answer)}', f'{prompts["answer"]}\n{quoted(step.answer)}']
        orders = [pair, pair[::-1]][: 1 + self.both_orders]
        prompt = prompts['right_answer'].format(question=step.question)
        return [[text_part('\n\n'.join([prompt, *order, prompts[self.form]]))] for order in orders]
