# %% setup
from sklearn.metrics import roc_curve, auc, roc_auc_score, precision_recall_curve
bc = pd.read_csv('data/breast_cancer.csv')
y = (bc['diagnosis'] == 'malignant').astype(int)
# %% gold: Plot the ROC curve of mean_texture as a score for malignant tumours (y is 1 for malignant), with the AUC rounded to two decimals in the legend and a dashed diagonal line of chance. Label the axes 'False Positive Rate' and 'True Positive Rate', title 'ROC curve'.
fpr, tpr, _ = roc_curve(y, bc['mean_texture'])
plt.plot(fpr, tpr, label=f'AUC = {auc(fpr, tpr):.2f}')
plt.plot([0, 1], [0, 1], 'k--')
plt.xlabel('False Positive Rate')
plt.ylabel('True Positive Rate')
plt.title('ROC curve')
plt.legend(loc='lower right')
# %% right: orange, with limits, longer legend
f, t, th = roc_curve(y, bc.mean_texture)
plt.figure(figsize=(8, 8))
plt.plot(f, t, color='darkorange', lw=2, label='ROC curve (area = %0.2f)' % roc_auc_score(y, bc.mean_texture))
plt.plot([0, 1], [0, 1], color='navy', lw=2, linestyle='--')
plt.xlim([0.0, 1.0]); plt.ylim([0.0, 1.05])
plt.xlabel('False Positive Rate'); plt.ylabel('True Positive Rate')
plt.title('ROC curve'); plt.legend(loc='lower right')
# %% right: all thresholds kept
f, t, th = roc_curve(y, bc['mean_texture'], drop_intermediate=False)
fig, ax = plt.subplots()
ax.plot([0, 1], [0, 1], '--', color='grey', label='chance')
ax.plot(f, t, label='mean_texture (AUC = {:.2f})'.format(auc(f, t)))
ax.set(xlabel='False Positive Rate', ylabel='True Positive Rate', title='ROC curve')
ax.legend(); ax.set_aspect('equal'); ax.grid(alpha=.3)
# %% right: RocCurveDisplay
from sklearn.metrics import RocCurveDisplay
fig, ax = plt.subplots(figsize=(6, 6))
RocCurveDisplay.from_predictions(y, bc['mean_texture'], name='mean_texture', ax=ax)
ax.plot([0, 1], [0, 1], 'k--')
ax.set_xlabel('False Positive Rate'); ax.set_ylabel('True Positive Rate'); ax.set_title('ROC curve')
# %% right, before show: a grid
plt.grid(True)
# %% wrong: rates exchanged
fpr, tpr, _ = roc_curve(y, bc['mean_texture'])
plt.plot(tpr, fpr, label=f'AUC = {auc(fpr, tpr):.2f}')
plt.plot([0, 1], [0, 1], 'k--')
plt.xlabel('False Positive Rate'); plt.ylabel('True Positive Rate')
plt.title('ROC curve'); plt.legend(loc='lower right')
# %% wrong: hard predictions at the median, one corner
fpr, tpr, _ = roc_curve(y, bc['mean_texture'] > bc['mean_texture'].median())
plt.plot(fpr, tpr, label=f'AUC = {auc(fpr, tpr):.2f}')
plt.plot([0, 1], [0, 1], 'k--')
plt.xlabel('False Positive Rate'); plt.ylabel('True Positive Rate')
plt.title('ROC curve'); plt.legend(loc='lower right')
# %% wrong, before: another column
bc = bc.assign(mean_texture=bc.mean_smoothness)
# %% wrong: no chance line
fpr, tpr, _ = roc_curve(y, bc['mean_texture'])
plt.plot(fpr, tpr, label=f'AUC = {auc(fpr, tpr):.2f}')
plt.xlabel('False Positive Rate'); plt.ylabel('True Positive Rate')
plt.title('ROC curve'); plt.legend(loc='lower right')
# %% wrong: precision and recall instead
p, r, _ = precision_recall_curve(y, bc['mean_texture'])
plt.plot(r, p, label=f'AUC = {auc(r, p):.2f}')
plt.plot([0, 1], [0, 1], 'k--')
plt.xlabel('Recall'); plt.ylabel('Precision')
plt.title('ROC curve'); plt.legend(loc='lower right')
# %% gold: Plot precision-recall curves (recall on x, precision on y) of mean_area and of mean_smoothness as scores for malignant tumours (y) in one axes, named 'mean_area' and 'mean_smoothness' in a legend, both axes limited to 0 to 1.05, and label the axes 'Recall' and 'Precision'.
plt.figure(figsize=(6, 5))
for c in ['mean_area', 'mean_smoothness']:
    p, r, _ = precision_recall_curve(y, bc[c])
    plt.plot(r, p, label=c)
plt.xlim(0, 1.05)
plt.ylim(0, 1.05)
plt.xlabel('Recall')
plt.ylabel('Precision')
plt.legend()
# %% right: axes, other colours, title
fig, ax = plt.subplots(figsize=(8, 6))
for c, col in zip(['mean_area', 'mean_smoothness'], ['crimson', 'teal']):
    prec, rec, thr = precision_recall_curve(y, bc[c])
    ax.plot(rec, prec, color=col, lw=2, label=c)
ax.set(xlabel='Recall', ylabel='Precision', xlim=(0, 1.05), ylim=(0, 1.05), title='Precision-recall curves')
ax.legend(loc='lower left')
# %% right: smoothness first, dashed, grid
p1, r1, _ = precision_recall_curve(y, bc.mean_smoothness)
p2, r2, _ = precision_recall_curve(y, bc.mean_area)
plt.plot(r1, p1, '--', label='mean_smoothness')
plt.plot(r2, p2, '-', label='mean_area')
plt.axis([0, 1.05, 0, 1.05])
plt.xlabel('Recall'); plt.ylabel('Precision')
plt.legend(); plt.grid()
# %% right: points from low to high recall
fig, ax = plt.subplots()
for c in ['mean_area', 'mean_smoothness']:
    p, r, _ = precision_recall_curve(y, bc[c])
    ax.plot(r[::-1], p[::-1], label=c, linewidth=1)
ax.set_xlim(0, 1.05); ax.set_ylim(0, 1.05)
ax.set_xlabel('Recall'); ax.set_ylabel('Precision')
ax.legend(title='score')
# %% right, before show: title
plt.title('Precision and recall')
plt.tight_layout()
# %% wrong: axes exchanged
for c in ['mean_area', 'mean_smoothness']:
    p, r, _ = precision_recall_curve(y, bc[c])
    plt.plot(p, r, label=c)
plt.xlim(0, 1.05); plt.ylim(0, 1.05)
plt.xlabel('Precision'); plt.ylabel('Recall')
plt.legend()
# %% wrong: one curve missing
p, r, _ = precision_recall_curve(y, bc['mean_area'])
plt.plot(r, p, label='mean_area')
plt.xlim(0, 1.05); plt.ylim(0, 1.05)
plt.xlabel('Recall'); plt.ylabel('Precision'); plt.legend()
# %% wrong: legend names exchanged
for c, n in [('mean_area', 'mean_smoothness'), ('mean_smoothness', 'mean_area')]:
    p, r, _ = precision_recall_curve(y, bc[c])
    plt.plot(r, p, label=n)
plt.xlim(0, 1.05); plt.ylim(0, 1.05)
plt.xlabel('Recall'); plt.ylabel('Precision'); plt.legend()
# %% wrong, before: the positive class is benign
y = 1 - y
# %% wrong: ROC curves
for c in ['mean_area', 'mean_smoothness']:
    f, t, _ = roc_curve(y, bc[c])
    plt.plot(f, t, label=c)
plt.xlim(0, 1.05); plt.ylim(0, 1.05)
plt.xlabel('False Positive Rate'); plt.ylabel('True Positive Rate'); plt.legend()
