# ---
# jupyter:
#   instances:
#     regional: {seed: 23, people: 420, prevalence: 0.8, early: 75}
#     national: {seed: 71, people: 480, prevalence: 1.5, early: 65}
#   varied:
#     seed: {between: [1, 1000000]}
#     people: {between: [400, 500]}
#     prevalence: {pick: [0.6, 0.9, 1.2, 2.0]}
#     early: {pick: [60, 70, 80]}
#   words:
#     title: {en: 'ROC curves, validation part', cn: 验证部分的 ROC 曲线}
#     x_label: {en: 1 - specificity, cn: 1 - 特异度}
#     y_label: {en: Sensitivity, cn: 灵敏度}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Three markers in the blood, `ferrin`, `kalin` and `orbin`, are tried as tests of a disease. The study is in `{{ data }}/people.csv` and `{{ data }}/samples.csv`; how it was made and is analysed is said in `{{ data }}/methods.txt`.
# Make a DataFrame `study` with one row for each person who stays in the study, sorted by `person`, with the columns `person`, `case` (bool), `stage`, `part`, `old_test`, `ferrin`, `kalin` and `orbin` (the markers as floats, from the person's sample).
#
# Thought: Dates are written in two ways; a note can say that a sample is not haemolysed; samples from the day of diagnosis on do not count.

# %% [markdown] lang="cn"
# 一项研究试用血液中的三个标志物 `ferrin`、`kalin` 和 `orbin` 检测某种疾病。数据在 `{{ data }}/people.csv` 和 `{{ data }}/samples.csv` 中，研究和分析的方法见 `{{ data }}/methods.txt`。
# 生成名为 `study` 的 DataFrame，留在研究中的每个人占一行，按 `person` 排序，列为 `person`、`case`（bool）、`stage`、`part`、`old_test`、`ferrin`、`kalin` 和 `orbin`（三个标志物为浮点数，取自该人的样本）。
#
# Thought: 日期有两种写法；备注可能写着没有溶血；诊断当天及以后的样本不算。

# %%
import pandas as pd

people = pd.read_csv('{{ data }}/people.csv', sep=';')
samples = pd.read_csv('{{ data }}/samples.csv')
people['diagnosed'] = pd.to_datetime(people['diagnosed'], format='%d.%m.%Y')
samples['drawn'] = pd.to_datetime(samples['drawn'])
below = samples['orbin'].astype(str).str.startswith('<')
samples['orbin'] = samples['orbin'].astype(str).str.lstrip('<').astype(float) * below.map({True: 0.5, False: 1.0})
note = samples['note'].fillna('').str.lower()
samples['usable'] = ~(note.str.contains('haemolysed') & ~note.str.contains('not'))
joined = samples.merge(people, on='person')
joined = joined[joined['usable'] & ~(joined['drawn'] >= joined['diagnosed'])]
study = joined.sort_values('drawn').drop_duplicates('person', keep='last').sort_values('person')
study['case'] = study['group'] == 'case'
study = study[['person', 'case', 'stage', 'part', 'old_test', 'ferrin', 'kalin', 'orbin']].reset_index(drop=True)

# %% naive="careless" trap="samples drawn after the diagnosis are used"
import pandas as pd

people = pd.read_csv('{{ data }}/people.csv', sep=';')
samples = pd.read_csv('{{ data }}/samples.csv')
people['diagnosed'] = pd.to_datetime(people['diagnosed'], format='%d.%m.%Y')
samples['drawn'] = pd.to_datetime(samples['drawn'])
below = samples['orbin'].astype(str).str.startswith('<')
samples['orbin'] = samples['orbin'].astype(str).str.lstrip('<').astype(float) * below.map({True: 0.5, False: 1.0})
note = samples['note'].fillna('').str.lower()
samples['usable'] = ~(note.str.contains('haemolysed') & ~note.str.contains('not'))
joined = samples[samples['usable']].merge(people, on='person')
study = joined.sort_values('drawn').drop_duplicates('person', keep='last').sort_values('person')
study['case'] = study['group'] == 'case'
study = study[['person', 'case', 'stage', 'part', 'old_test', 'ferrin', 'kalin', 'orbin']].reset_index(drop=True)

# %% naive="literal" trap="a note that says not haemolysed is read as haemolysed, and the day of diagnosis counts"
import pandas as pd

people = pd.read_csv('{{ data }}/people.csv', sep=';')
samples = pd.read_csv('{{ data }}/samples.csv')
people['diagnosed'] = pd.to_datetime(people['diagnosed'], format='%d.%m.%Y')
samples['drawn'] = pd.to_datetime(samples['drawn'])
below = samples['orbin'].astype(str).str.startswith('<')
samples['orbin'] = samples['orbin'].astype(str).str.lstrip('<').astype(float) * below.map({True: 0.5, False: 1.0})
samples['usable'] = ~samples['note'].fillna('').str.lower().str.contains('haemolysed')
joined = samples.merge(people, on='person')
joined = joined[joined['usable'] & ~(joined['drawn'] > joined['diagnosed'])]
study = joined.sort_values('drawn').drop_duplicates('person', keep='last').sort_values('person')
study['case'] = study['group'] == 'case'
study = study[['person', 'case', 'stage', 'part', 'old_test', 'ferrin', 'kalin', 'orbin']].reset_index(drop=True)

# %% [markdown] kind="text" list="true" modules="sklearn pandas" answer="list[text]"
# Print the names of the three markers by how well they tell cases from controls in the derivation part, the best first, on one line, separated by `, `.
#
# Thought: kalin falls in cases: its area below 0.5 is as good as the area above it on the other side.

# %% [markdown] lang="cn"
# 在同一行打印三个标志物的名称，按它们在推导部分（derivation）区分病例与对照的能力从高到低排列，用 `, ` 分隔。
#
# Thought: kalin 在病例中降低：低于 0.5 的面积换个方向就同样有用。

# %%
from sklearn.metrics import roc_auc_score

derivation = study[study['part'] == 'derivation']
areas = {name: roc_auc_score(derivation['case'], derivation[name]) for name in ('ferrin', 'kalin', 'orbin')}
side = {name: 1 if area >= 0.5 else -1 for name, area in areas.items()}
answer = sorted(areas, key=lambda name: -abs(areas[name] - 0.5))
print(', '.join(answer))

# %% naive="careless shortcut" trap="a marker that falls in cases is taken for the worst"
from sklearn.metrics import roc_auc_score

derivation = study[study['part'] == 'derivation']
areas = {name: roc_auc_score(derivation['case'], derivation[name]) for name in ('ferrin', 'kalin', 'orbin')}
side = {name: 1 if area >= 0.5 else -1 for name, area in areas.items()}
print(', '.join(sorted(areas, key=lambda name: -areas[name])))

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(4), real(4)]"
# Take the best marker and choose its threshold, the float `threshold`: of the values that persons of the derivation part have, one with a specificity of at least 0.95 there, of these one with the highest sensitivity there, and of several the one with the highest specificity.
# Print the threshold as the data have it, and its sensitivity and specificity in the derivation part with 4 decimal places, on one line, separated by spaces.
#
# Thought: Low values of kalin speak for the disease, so a person is positive at or below the threshold.

# %% [markdown] lang="cn"
# 取最好的标志物并选定其阈值，存为浮点数 `threshold`：在推导部分各人的值中，取在该部分特异度至少为 0.95 的值，其中取灵敏度最高的，若有多个则取特异度最高的。
# 在同一行打印该阈值（与数据中的写法一致）以及它在推导部分的灵敏度和特异度（保留 4 位小数），用空格分隔。
#
# Thought: kalin 的低值提示患病，因此等于或低于阈值者为阳性。

# %%
best = max(areas, key=lambda name: abs(areas[name] - 0.5))


def rates(table, threshold):
    positive = side[best] * table[best] >= side[best] * threshold
    return positive[table['case']].mean(), 1 - positive[~table['case']].mean()


found = []
for value in derivation[best].unique():
    sensitivity, specificity = rates(derivation, value)
    if specificity > 0.95 - 1e-9:
        found.append((sensitivity, specificity, float(value)))
sensitivity, specificity, threshold = max(found)
answer = [threshold, sensitivity, specificity]
print(f'{answer[0]} {answer[1]:.4f} {answer[2]:.4f}')

# %% naive="shortcut" trap="high values are taken to speak for the disease"
best = max(areas, key=lambda name: abs(areas[name] - 0.5))


def rates(table, threshold):
    positive = side[best] * table[best] >= side[best] * threshold
    return positive[table['case']].mean(), 1 - positive[~table['case']].mean()


threshold = float(derivation.loc[~derivation['case'], best].quantile(0.95))
sensitivity = (derivation.loc[derivation['case'], best] >= threshold).mean()
specificity = (derivation.loc[~derivation['case'], best] < threshold).mean()
print(f'{threshold} {sensitivity:.4f} {specificity:.4f}')

# %% [markdown] kind="num" modules="pandas" answer="[real(4), real(4), real(4)]"
# Judge the threshold as the methods say. Print the sensitivity in stage I or II, the sensitivity in stage III or IV, and the specificity, with 4 decimal places, on one line, separated by spaces.
#
# Thought: All three are of the validation part.

# %% [markdown] lang="cn"
# 按方法的规定评价该阈值。在同一行打印 I 或 II 期的灵敏度、III 或 IV 期的灵敏度以及特异度，保留 4 位小数，用空格分隔。
#
# Thought: 三者都取自验证部分。

# %%
validation = study[study['part'] == 'validation']
first = validation['stage'].isin(['I', 'II'])
second = validation['stage'].isin(['III', 'IV'])
sensitivity_1, specificity = rates(validation[first | ~validation['case']], threshold)
sensitivity_2, specificity = rates(validation[second | ~validation['case']], threshold)
answer = [sensitivity_1, sensitivity_2, specificity]
print(*(f'{value:.4f}' for value in answer))

# %% naive="careless shortcut" trap="the threshold is judged on the data that it was chosen on, too"
validation = study[study['part'] == 'validation']
first = study['stage'].isin(['I', 'II'])
second = study['stage'].isin(['III', 'IV'])
sensitivity_1, specificity = rates(study[first | ~study['case']], threshold)
sensitivity_2, specificity = rates(study[second | ~study['case']], threshold)
print(f'{sensitivity_1:.4f} {sensitivity_2:.4f} {specificity:.4f}')

# %% [markdown] kind="num" modules="pandas" answer="[real(1), real(1), real(2)]"
# 10000 people will be screened. Print how many of them can be expected to be ill and positive, how many well and positive, each with 1 decimal place, and what share of the positive ones are ill, in percent with 2 decimal places, on one line, separated by spaces. Do not round before.
#
# Thought: The groups of the study are about as large by design, so prevalence and stages have to come from the screening.

# %% [markdown] lang="cn"
# 将有 10000 人接受筛查。在同一行打印其中预期患病且阳性的人数、未患病而阳性的人数（各保留 1 位小数），以及阳性者中患病者所占的百分比（保留 2 位小数），用空格分隔。中间结果不取整。
#
# Thought: 研究中两组人数相近是设计所致，患病率和分期都须取自筛查人群。

# %%
ill = 10000 * {{ prevalence }} / 100
true = ill * ({{ early }} / 100 * sensitivity_1 + (1 - {{ early }} / 100) * sensitivity_2)
false = (10000 - ill) * (1 - specificity)
answer = [true, false, 100 * true / (true + false)]
print(f'{answer[0]:.1f} {answer[1]:.1f} {answer[2]:.2f}')

# %% naive="careless" trap="the stages of the study are taken for those of the screening"
ill = 10000 * {{ prevalence }} / 100
sensitivity, specificity = rates(validation, threshold)
true, false = ill * sensitivity, (10000 - ill) * (1 - specificity)
print(f'{true:.1f} {false:.1f} {100 * true / (true + false):.2f}')

# %% naive="literal shortcut" trap="the share of cases in the study is taken for that in the screening"
positive = side[best] * validation[best] >= side[best] * threshold
true = 10000 * (positive & validation['case']).mean()
false = 10000 * (positive & ~validation['case']).mean()
print(f'{true:.1f} {false:.1f} {100 * true / (true + false):.2f}')

# %% [markdown] kind="num" modules="scipy pandas" answer="[text, real(relative=0.005)]"
# Does the sensitivity of the best marker at `threshold` differ from that of the old test, in the cases of the validation part? One of four tests fits: `mcnemar` (exact and two-sided: a binomial test with probability 0.5 of the persons whose two results differ), `chi2_contingency`, `fisher_exact` or `ttest_ind`.
# Print its name and its p-value with 3 significant digits, on one line as `name: p`.
#
# Thought: Every case has both results, so the samples are paired, and only cases whose results differ say something.

# %% [markdown] lang="cn"
# 在验证部分的病例中，最好的标志物在 `threshold` 处的灵敏度与旧检测是否不同？以下四种检验中有一种合适：`mcnemar`（精确、双侧：对两种结果不一致的人作概率为 0.5 的二项检验）、`chi2_contingency`、`fisher_exact` 或 `ttest_ind`。
# 在同一行打印其名称和 p 值（3 位有效数字），格式为 `名称: p 值`。
#
# Thought: 每个病例都有两种结果，属于配对样本，只有结果不一致的病例提供信息。

# %%
from scipy import stats

cases = validation[validation['case']]
new = side[best] * cases[best] >= side[best] * threshold
old = cases['old_test'] == 'positive'
only_new, only_old = int((new & ~old).sum()), int((old & ~new).sum())
answer = ['mcnemar', stats.binomtest(only_new, only_new + only_old, 0.5).pvalue]
print(f'{answer[0]}: {answer[1]:.3g}')

# %% naive="careless" trap="the two results of a person are taken for independent groups"
from scipy import stats

cases = validation[validation['case']]
new = side[best] * cases[best] >= side[best] * threshold
old = cases['old_test'] == 'positive'
table = [[new.sum(), (~new).sum()], [old.sum(), (~old).sum()]]
print(f'chi2_contingency: {stats.chi2_contingency(table)[1]:.3g}')

# %% naive="literal shortcut" trap="the two results of a person are taken for independent groups"
from scipy import stats

cases = validation[validation['case']]
new = side[best] * cases[best] >= side[best] * threshold
old = cases['old_test'] == 'positive'
table = [[new.sum(), (~new).sum()], [old.sum(), (~old).sum()]]
print(f'fisher_exact: {stats.fisher_exact(table)[1]:.3g}')

# %% [markdown] kind="num" modules="sklearn pandas" answer="[count, real(4)]"
# A colleague finds orbin the best of the three markers, with this code, in which samples and people are the two files:
#
#     usable = samples[samples['note'] != 'haemolysed'].sort_values('drawn').groupby('person').last()
#     table = usable.join(people.set_index('person'))
#     print(roc_auc_score(table['group'] == 'case', table['orbin']))
#
# Print the number of persons of `study` from whom the colleague's code takes another sample than `study` does, and the area under the ROC curve of orbin over all persons of `study` with 4 decimal places, on one line, separated by a space.
#
# Thought: Find the day of both samples of each person; they differ by samples from after the diagnosis and by other spellings of haemolysed.

# %% [markdown] lang="cn"
# 一位同事用下面的代码得出 orbin 是三个标志物中最好的，其中 samples 和 people 是两个文件的内容：
#
#     usable = samples[samples['note'] != 'haemolysed'].sort_values('drawn').groupby('person').last()
#     table = usable.join(people.set_index('person'))
#     print(roc_auc_score(table['group'] == 'case', table['orbin']))
#
# 在同一行打印：`study` 中有多少人，同事的代码取用的样本与 `study` 不同；以及 orbin 在 `study` 全体人员中的 ROC 曲线下面积（保留 4 位小数）。用空格分隔。
#
# Thought: 比较每个人两次取样的日期；差别来自诊断之后的样本和溶血的其他写法。

# %%
right = joined.groupby('person')['drawn'].max()
other = samples[samples['note'] != 'haemolysed'].groupby('person')['drawn'].max()
differing = int((other.reindex(right.index) != right).sum())
answer = [differing, roc_auc_score(study['case'], study['orbin'])]
print(answer[0], f'{answer[1]:.4f}')

# %% naive="careless literal shortcut" trap="only samples from after the diagnosis are counted"
both = samples.merge(people, on='person')
after = both.loc[both['drawn'] > both['diagnosed'], 'person'].nunique()
print(after, f'{roc_auc_score(study["case"], study["orbin"]):.4f}')

# %% [markdown] kind="vis" modules="matplotlib sklearn"
# Draw the ROC curves of all three markers in the validation part, each so that the values that speak for the disease in the derivation part count as positive: sensitivity over 1 - specificity, one line for each marker, with its name in the legend. Title `{{ title }}`, x label `{{ x_label }}`, y label `{{ y_label }}`, figure size (5, 5). Call `plt.show()`.
#
# Thought: roc_curve of the marker times its side.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画出三个标志物在验证部分的 ROC 曲线，均以推导部分中提示患病的一侧为阳性：纵轴为灵敏度，横轴为 1 - 特异度，每个标志物一条线，图例中标出其名称。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (5, 5)，最后调用 `plt.show()`。
#
# Thought: 将标志物乘以其方向后用 roc_curve 计算。

# %%
import matplotlib.pyplot as plt
from sklearn.metrics import roc_curve

plt.figure(figsize=(5, 5))
for name in areas:
    wrong, right, _ = roc_curve(validation['case'], side[name] * validation[name])
    plt.plot(wrong, right, label=name)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% naive="careless literal shortcut" trap="high values count as positive for a marker that falls"
import matplotlib.pyplot as plt
from sklearn.metrics import roc_curve

plt.figure(figsize=(5, 5))
for name in areas:
    wrong, right, _ = roc_curve(validation['case'], validation[name])
    plt.plot(wrong, right, label=name)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()
