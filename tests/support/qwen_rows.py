"""A small set in the format of Qwen-Agent's Code Interpreter Benchmark, with gold code, and three rows of GSM8K."""

import json

QUERY = 'Draw a line chart of the sales by month.'
EASY = (
    '画出每月销售额的柱状图。<|im_end|>\n<|im_start|>assistant\nThought: 先看数据。\nAction: code_interpreter\n'
    "Action Input:\n```py\ndf = pd.read_csv('sales.csv')\ndf.shape\n```\n"
    'Observation: execute_result:\n\n```\n(9, 9)\n```\nThought:'
)
ROWS = [
    {'query': QUERY, 'input_file_path': ['upload_file/sales.csv'], 'lang': 'en', 'tags': 'all_ci,visualization'},
    {'query': EASY, 'input_file_path': ['/proc/none/sales.csv'], 'lang': 'zh', 'tags': 'all_ci,visualization'},
    {'query': 'As JSON, please.', 'input_file_path': ['./upload_file/sales.csv'], 'lang': 'en', 'tags': ['general']},
    {'query': 'What is 17 * 23?', 'input_file_path': [], 'lang': 'en', 'tags': 'all_ci,ci_math_code'},
]
GOLD = [
    "plt.plot(pd.read_csv('upload_file/sales.csv').sales)\nplt.show()",
    "sns.set_theme(style='whitegrid')\nplt.bar(df.month, df.sales)\nplt.title('销售额')\nplt.show()",
    "pd.read_csv('sales.csv').to_json('x.json')",
    'def solution():\n    return 17 * 23',
]
PROBLEMS = [
    {'question': 'Four hens lay 4 eggs each. Three are eaten.', 'answer': '<<4*4=16>>16, <<16-3=13>>13.\n#### 13'},
    {'question': 'A bolt costs $1,250 twice over.', 'answer': '1250 * 2 = $2500.\n#### 2,500'},
    {'question': 'How many?', 'answer': 'We know it.\n#### 7'},
]


def write_qwen_rows(folder, rows=ROWS, gold=GOLD, problems=PROBLEMS):
    """Write the set; return its folder."""
    uploads = folder / 'upload_file_clean'
    uploads.mkdir(parents=True)
    (uploads / 'sales.csv').write_text('month,sales\n1,3\n2,5\n3,4\n')
    write_lines(folder / 'eval_code_interpreter_v1.jsonl', rows)
    known = [{'row': number, 'thought': 'I do it.', 'code': code} for number, code in enumerate(gold)]
    write_lines(folder / 'eval_code_interpreter_v1.gold.jsonl', known)
    write_lines(folder / 'test.jsonl', problems)
    return folder


def write_lines(path, lines):
    """Write rows as some editors save them: with a mark of the order of bytes."""
    path.write_text(''.join(json.dumps(line, ensure_ascii=False) + '\n' for line in lines), encoding='utf-8-sig')
