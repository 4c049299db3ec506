# ---
# jupyter:
#   language: cn
# ---

# %% [markdown] kind="exec" modules="pandas & sklearn"
# 读取 `data/rent.csv`，存入名为 `rent` 的 DataFrame。
# 以 `月租金` 列为目标，其余各列为特征，用 `train_test_split` 划分训练集和测试集，设 `test_size=0.25`、`random_state=42`，
# 结果依次命名为 `X_train`、`X_test`、`y_train`、`y_test`。
#
# Thought: 先把目标列从特征中去掉，再按固定的随机种子划分。

# %%
import pandas as pd
from sklearn.model_selection import train_test_split

rent = pd.read_csv('data/rent.csv')
X_train, X_test, y_train, y_test = train_test_split(
    rent.drop(columns='月租金'), rent['月租金'], test_size=0.25, random_state=42
)

# %% [markdown] kind="text" modules="pandas"
# 用全部数据计算各 `城区` 的平均月租金，从高到低每行打印一个城区，格式为“城区 平均月租金”（中间一个空格，月租金保留 1 位小数）。
#
# Thought: 按城区分组求均值，降序排列后逐行打印。

# %%
for district, mean in rent.groupby('城区')['月租金'].mean().sort_values(ascending=False).items():
    print(f'{district} {mean:.1f}')

# %% [markdown] kind="num" modules="sklearn"
# 只用 `面积`、`楼层`、`地铁距离` 三列特征，在训练集上拟合 `LinearRegression`，打印它在测试集上的 R²，保留 4 位小数。
#
# Thought: 回归器的 score 方法返回的就是 R²。

# %%
from sklearn.linear_model import LinearRegression

numeric = ['面积', '楼层', '地铁距离']
linear = LinearRegression().fit(X_train[numeric], y_train)
print(round(linear.score(X_test[numeric], y_test), 4))

# %% [markdown] kind="num" modules="sklearn"
# 建立流水线 `model`：先用 `make_column_transformer` 对 `城区` 列做 `OneHotEncoder`、对三列数值特征做 `StandardScaler`，再接 `Ridge(alpha=1.0)`。
# 在训练集上拟合，打印它在测试集上的平均绝对误差（MAE），保留 2 位小数。
#
# Thought: 预处理和回归放进同一条流水线，用 mean_absolute_error 评估。

# %%
from sklearn.compose import make_column_transformer
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_absolute_error
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

model = make_pipeline(
    make_column_transformer((OneHotEncoder(), ['城区']), (StandardScaler(), numeric)),
    Ridge(alpha=1.0),
)
model.fit(X_train, y_train)
print(round(mean_absolute_error(y_test, model.predict(X_test)), 2))

# %% [markdown] kind="vis" modules="matplotlib & sklearn"
# 画散点图比较 `model` 在测试集上的预测：横轴为实际月租金，纵轴为预测月租金，点的颜色为 `purple`，透明度 `alpha=0.6`。
# 再画一条从 (0, 0) 到 (12000, 12000) 的黑色虚线（`'k--'`）。
# 图像尺寸为 (5, 5)，标题为“月租金预测”，横轴标签为“实际值（元）”，纵轴标签为“预测值（元）”，最后调用 `plt.show()`。
#
# Thought: 虚线是预测完全准确的位置，点离它越近越好。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 5))
plt.scatter(y_test, model.predict(X_test), color='purple', alpha=0.6)
plt.plot([0, 12000], [0, 12000], 'k--')
plt.title('月租金预测')
plt.xlabel('实际值（元）')
plt.ylabel('预测值（元）')
plt.show()

# %% [markdown] kind="text" modules="sklearn"
# 把月租金高于 8000 元的房源记为“高”，其余记为“低”，用训练集的三列数值特征拟合 `DecisionTreeClassifier(max_depth=2, random_state=0)`。
# 用 `export_text` 打印这棵树的规则，`feature_names` 取三列的列名，其余参数取默认值。
#
# Thought: 先把租金变成两类标签，再训练一棵两层的树，export_text 返回规则文本。

# %%
from sklearn.tree import DecisionTreeClassifier, export_text

labels = y_train.gt(8000).map({True: '高', False: '低'})
tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X_train[numeric], labels)
print(export_text(tree, feature_names=numeric))
