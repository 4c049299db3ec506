# ---
# jupyter:
#   instances:
#     coffee: {file: coffee.png, low: 5, high: 25, width: 240, height: 160}
#     flower: {file: flower.jpg, low: 0, high: 20, width: 300, height: 200}
#   varied:
#     file: {image: [180, 240]}
#     low: {pick: [10, 20, 30]}
#     high: {pick: [90, 110, 130]}
#     width: {pick: [120, 160, 180]}
#     height: {pick: [90, 100, 110]}
#   words:
#     histogram_title: {en: 'Color histogram', cn: '颜色直方图'}
#     mask_title: {en: 'Pixels in the hue range', cn: '色调范围内的像素'}
#     gray_title: {en: 'Equalized', cn: '直方图均衡化'}
#     value: {en: value, cn: 像素值}
#     count: {en: count, cn: 像素数}
# ---

# %% [markdown] kind="exec" modules="cv2"
# Read the color image `data/{{ file }}` into `img` and leave `img` in BGR. Keep it, converted to RGB and then resized with `cv2.INTER_AREA` to a width of {{ width }} and a height of {{ height }} pixels, as `rgb`.
#
# Thought: imread gives BGR; resize takes (width, height).

# %% [markdown] lang="cn"
# 将彩色图像 `data/{{ file }}` 读入 `img`（保持 BGR 不变），将其转为 RGB，再用 `cv2.INTER_AREA` 插值缩放到宽 {{ width }} 像素、高 {{ height }} 像素后存为 `rgb`。
#
# Thought: imread 得到 BGR；resize 的尺寸参数为 (宽, 高)。

# %%
import cv2

img = cv2.imread('data/{{ file }}')
rgb = cv2.resize(cv2.cvtColor(img, cv2.COLOR_BGR2RGB), ({{ width }}, {{ height }}), interpolation=cv2.INTER_AREA)

# %% [markdown] kind="num" modules="cv2" answer="list[real(2)]"
# Compute the means of the three channels of `rgb` over all pixels. Print them in the order of the channels, each rounded to 2 decimal places, on one line, separated by spaces.
#
# Thought: cv2.mean gives one value a channel and a fourth that is 0.

# %% [markdown] lang="cn"
# 计算 `rgb` 三个通道各自在全部像素上的均值，按通道顺序在同一行打印，各保留 2 位小数，用空格分隔。
#
# Thought: cv2.mean 给出各通道的均值，第四个值为 0。

# %%
means = cv2.mean(rgb)[:3]
answer = [round(mean, 2) for mean in means]
print(*answer)

# %% [markdown] kind="text" list="true" modules="cv2 & numpy" answer="list[list[text]]"
# Print the names of the channels, `red`, `green` and `blue`, from the channel with the highest mean to the one with the lowest, on one line, joined by `, `.
# On a second line, print them in the same way by the population standard deviation (`ddof=0`) of the channel divided by its mean, from the highest to the lowest.
#
# Thought: pair the names with the values in RGB order and sort by the value, descending.

# %% [markdown] lang="cn"
# 在同一行打印各通道的名称 `red`、`green`、`blue`，按通道均值从高到低排列，用 `, ` 分隔。
# 在第二行以同样的格式打印通道名称，按通道的总体标准差（`ddof=0`）除以该通道均值的结果从高到低排列。
#
# Thought: 按 RGB 顺序将名称与数值配对，再按数值降序排列。

# %%
names = ['red', 'green', 'blue']
spreads = [rgb[:, :, channel].std() / means[channel] for channel in range(3)]
answer = [[name for _, name in sorted(zip(values, names), reverse=True)] for values in (means, spreads)]
for row in answer:
    print(', '.join(row))

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Compute with `cv2.calcHist` the histogram of each channel of `rgb` with 32 bins of equal width over [0, 256). Draw the three as lines of width 2 over the left edges of the bins (0, 8, 16, …), in the colors `red`, `green` and `blue` and without a legend, with figure size (5, 3.5), the title `{{ histogram_title }}`, the x label `{{ value }}` and the y label `{{ count }}`, and call `plt.show()`.
#
# Thought: calcHist takes a list of images and of channels; ravel makes each histogram one-dimensional.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用 `cv2.calcHist` 计算 `rgb` 各通道在 [0, 256) 上 32 个等宽区间（bin）的直方图。以各区间左端点（0、8、16……）为横坐标画出三条线宽为 2 的折线，颜色依次为 `red`、`green`、`blue`，不加图例；画布大小为 `figsize=(5, 3.5)`，标题为 `{{ histogram_title }}`，横轴标签为 `{{ value }}`，纵轴标签为 `{{ count }}`，最后调用 `plt.show()`。
#
# Thought: calcHist 的图像和通道都以列表给出；用 ravel 把直方图变成一维。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
for channel, color in enumerate(names):
    histogram = cv2.calcHist([rgb], [channel], None, [32], [0, 256]).ravel()
    plt.plot(range(0, 256, 8), histogram, color=color, linewidth=2)
plt.title('{{ histogram_title }}')
plt.xlabel('{{ value }}')
plt.ylabel('{{ count }}')
plt.show()

# %% [markdown] kind="num" modules="cv2" answer="real(2)"
# Convert `rgb` to HSV (`cv2.COLOR_RGB2HSV`) into `hsv`. Make `mask` from it with `cv2.inRange`, bounds included: hue from {{ low }} to {{ high }}, saturation from 40 to 255, value from 40 to 255. Print the percentage of all pixels that are not zero in `mask`, rounded to 2 decimal places, without a percent sign.
#
# Thought: in OpenCV hue goes from 0 to 179; the share is countNonZero over the number of pixels.

# %% [markdown] lang="cn"
# 将 `rgb` 转换到 HSV 颜色空间（`cv2.COLOR_RGB2HSV`），结果存为 `hsv`。用 `cv2.inRange` 由 `hsv` 生成掩膜 `mask`（含上下界）：色调 {{ low }} 到 {{ high }}，饱和度 40 到 255，明度 40 到 255。打印 `mask` 中非零像素所占的百分比，保留 2 位小数，不带百分号。
#
# Thought: OpenCV 的色调范围是 0 到 179；比例为 countNonZero 除以像素总数。

# %%
hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
mask = cv2.inRange(hsv, ({{ low }}, 40, 40), ({{ high }}, 255, 255))
answer = round(100 * cv2.countNonZero(mask) / mask.size, 2)
print(answer)

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Show `rgb` with all pixels black where `mask` is zero (`cv2.bitwise_and`), with figure size (4, 3), without axes, with the title `{{ mask_title }}`, and call `plt.show()`.
#
# Thought: bitwise_and of the image with itself under the mask keeps what is inside.

# %% [markdown] lang="cn"
# 将 `rgb` 中 `mask` 为零处的像素置为黑色（`cv2.bitwise_and`）并显示结果，画布大小为 `figsize=(4, 3)`，不显示坐标轴，标题为 `{{ mask_title }}`，最后调用 `plt.show()`。
#
# Thought: 在掩膜下对图像自身做 bitwise_and，只保留掩膜内的部分。

# %%
plt.figure(figsize=(4, 3))
plt.imshow(cv2.bitwise_and(rgb, rgb, mask=mask))
plt.axis('off')
plt.title('{{ mask_title }}')
plt.show()

# %% [markdown] kind="num" modules="cv2 & numpy" answer="[real(2), real(2)]"
# Convert `rgb` to grayscale (`cv2.COLOR_RGB2GRAY`) into `gray`, and equalize its histogram (`cv2.equalizeHist`) into `equal`. Print the population standard deviation (`ddof=0`) of `gray` and that of `equal`, each rounded to 2 decimal places, on one line, separated by a space.
#
# Thought: equalizeHist spreads the gray values; std of a NumPy array is that of the population.

# %% [markdown] lang="cn"
# 将 `rgb` 转为灰度图（`cv2.COLOR_RGB2GRAY`），结果存为 `gray`，再对其做直方图均衡化（`cv2.equalizeHist`），结果存为 `equal`。在同一行打印 `gray` 与 `equal` 的总体标准差（`ddof=0`），各保留 2 位小数，用空格分隔。
#
# Thought: equalizeHist 拉开灰度分布；NumPy 数组的 std 默认为总体标准差。

# %%
gray = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
equal = cv2.equalizeHist(gray)
answer = [round(float(gray.std()), 2), round(float(equal.std()), 2)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Show `equal` in gray (`cmap='gray'`, `vmin=0`, `vmax=255`) with figure size (4, 3), without axes, with the title `{{ gray_title }}`, and call `plt.show()`.
#
# Thought: vmin and vmax keep imshow from stretching the values.

# %% [markdown] lang="cn"
# 以灰度图（`cmap='gray'`，`vmin=0`，`vmax=255`）显示 `equal`，画布大小为 `figsize=(4, 3)`，不显示坐标轴，标题为 `{{ gray_title }}`，最后调用 `plt.show()`。
#
# Thought: vmin 和 vmax 避免 imshow 自动拉伸灰度。

# %%
plt.figure(figsize=(4, 3))
plt.imshow(equal, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('{{ gray_title }}')
plt.show()
