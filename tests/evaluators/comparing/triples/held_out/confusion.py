# %% setup
from sklearn.metrics import confusion_matrix, ConfusionMatrixDisplay
from sklearn.neighbors import KNeighborsClassifier
from sklearn.model_selection import cross_val_predict
wine = pd.read_csv('data/wine.csv')
labels = ['class_0', 'class_1', 'class_2']
y_true = wine['cultivar'].values
y_pred = cross_val_predict(KNeighborsClassifier(5), wine.drop(columns='cultivar').values, y_true, cv=5)
# %% gold: Draw the confusion matrix of y_true (rows) and y_pred (columns) as a heat map with the counts written in the cells, class names (labels) as ticks, y axis label 'True' and x axis label 'Predicted'.
cm = confusion_matrix(y_true, y_pred, labels=labels)
plt.figure(figsize=(6, 5))
sns.heatmap(cm, annot=True, fmt='d', cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.xlabel('Predicted')
plt.ylabel('True')
# %% right: ConfusionMatrixDisplay
disp = ConfusionMatrixDisplay(confusion_matrix(y_true, y_pred), display_labels=labels)
disp.plot(cmap='viridis')
disp.ax_.set_xlabel('Predicted'); disp.ax_.set_ylabel('True')
# %% right: imshow and text, title
cm = confusion_matrix(y_true, y_pred)
fig, ax = plt.subplots(figsize=(7, 7))
ax.imshow(cm, cmap='Oranges')
for i in range(3):
    for j in range(3):
        ax.text(j, i, cm[i, j], ha='center', va='center', color='white' if cm[i, j] > cm.max()/2 else 'black')
ax.set_xticks(range(3), labels); ax.set_yticks(range(3), labels)
ax.set(xlabel='Predicted', ylabel='True', title='Confusion matrix')
# %% right: crosstab, no colour bar
ct = pd.crosstab(y_true, y_pred)
ax = sns.heatmap(ct, annot=True, fmt='g', cbar=False, cmap='Greens', linewidths=.5, square=True)
ax.set_xlabel('Predicted'); ax.set_ylabel('True')
# %% right, before show: title
plt.title('Confusion matrix of 5-NN')
# %% wrong: transposed
cm = confusion_matrix(y_pred, y_true, labels=labels)
sns.heatmap(cm, annot=True, fmt='d', cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.xlabel('Predicted'); plt.ylabel('True')
# %% wrong: row fractions
cm = confusion_matrix(y_true, y_pred, labels=labels, normalize='true')
sns.heatmap(cm, annot=True, fmt='.2f', cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.xlabel('Predicted'); plt.ylabel('True')
# %% wrong: no numbers in the cells
cm = confusion_matrix(y_true, y_pred, labels=labels)
sns.heatmap(cm, cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.xlabel('Predicted'); plt.ylabel('True')
# %% wrong, before: a quarter of the flowers lost
y_true, y_pred = y_true[:130], y_pred[:130]
# %% wrong: tick names in another order
cm = confusion_matrix(y_true, y_pred, labels=labels)
sns.heatmap(cm, annot=True, fmt='d', cmap='Blues', xticklabels=labels[::-1], yticklabels=labels[::-1])
plt.xlabel('Predicted'); plt.ylabel('True')
# %% gold: Draw the confusion matrix of y_true and y_pred normalised over the true classes (each row sums to 1) with values to two decimals in the cells, true classes on the y axis, predicted on the x axis, class names as ticks, colour scale from 0 to 1 with a colorbar. Title: 'Normalized confusion matrix'.
cm = confusion_matrix(y_true, y_pred, normalize='true')
fig, ax = plt.subplots(figsize=(6, 5))
im = ax.imshow(cm, cmap='Blues', vmin=0, vmax=1)
fig.colorbar(im)
for i in range(3):
    for j in range(3):
        ax.text(j, i, f'{cm[i, j]:.2f}', ha='center', va='center')
ax.set_xticks(range(3), labels)
ax.set_yticks(range(3), labels)
ax.set_title('Normalized confusion matrix')
# %% right: seaborn
cm = confusion_matrix(y_true, y_pred)
cmn = cm / cm.sum(axis=1, keepdims=True)
plt.figure(figsize=(8, 6))
sns.heatmap(cmn, annot=True, fmt='.2f', vmin=0, vmax=1, cmap='YlGnBu', xticklabels=labels, yticklabels=labels)
plt.title('Normalized confusion matrix'); plt.ylabel('True label'); plt.xlabel('Predicted label')
# %% right: display from predictions
d = ConfusionMatrixDisplay.from_predictions(y_true, y_pred, normalize='true', values_format='.2f', im_kw={'vmin': 0, 'vmax': 1}, xticks_rotation=45)
d.ax_.set_title('Normalized confusion matrix')
plt.tight_layout()
# %% right: normalised crosstab
ct = pd.crosstab(pd.Series(y_true, name='true'), pd.Series(y_pred, name='pred'), normalize='index')
sns.heatmap(ct, annot=True, fmt='.2f', vmin=0, vmax=1)
plt.title('Normalized confusion matrix')
# %% right, before show: axis labels
ax.set_xlabel('Predicted')
ax.set_ylabel('True')
# %% wrong: normalised over the predictions
cm = confusion_matrix(y_true, y_pred, normalize='pred')
sns.heatmap(cm, annot=True, fmt='.2f', vmin=0, vmax=1, cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.title('Normalized confusion matrix')
# %% wrong: normalised over all
cm = confusion_matrix(y_true, y_pred, normalize='all')
sns.heatmap(cm, annot=True, fmt='.2f', vmin=0, vmax=1, cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.title('Normalized confusion matrix')
# %% wrong: counts
cm = confusion_matrix(y_true, y_pred)
sns.heatmap(cm, annot=True, fmt='d', cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.title('Normalized confusion matrix')
# %% wrong: transposed
cm = confusion_matrix(y_true, y_pred, normalize='true').T
sns.heatmap(cm, annot=True, fmt='.2f', vmin=0, vmax=1, cmap='Blues', xticklabels=labels, yticklabels=labels)
plt.title('Normalized confusion matrix')
# %% wrong, before show: another title
ax.set_title('Confusion matrix, without normalization')
