# %% setup
from sklearn.model_selection import learning_curve, validation_curve
from sklearn.neighbors import KNeighborsClassifier
from sklearn.naive_bayes import GaussianNB
bc = pd.read_csv('data/breast_cancer.csv')
X = bc.drop(columns='diagnosis').values
y = (bc['diagnosis'] == 'malignant').astype(int).values
sizes, tr_sc, te_sc = learning_curve(GaussianNB(), X, y, cv=5, train_sizes=np.linspace(.1, 1, 6), shuffle=True, random_state=0)
ks = [1, 3, 5, 9, 15, 25, 41]
tr_v, te_v = validation_curve(KNeighborsClassifier(), X, y, param_name='n_neighbors', param_range=ks, cv=5)
# %% gold: Plot the learning curve from sizes, tr_sc and te_sc: the mean training score and the mean cross-validation score (over the folds) against the training size, each as a line with circle markers, with a shaded band of ±1 standard deviation (np.std) around each. Legend entries 'Training score' and 'Cross-validation score'; x label 'Training examples', y label 'Score'.
m1, s1, m2, s2 = tr_sc.mean(1), tr_sc.std(1), te_sc.mean(1), te_sc.std(1)
plt.figure()
plt.fill_between(sizes, m1 - s1, m1 + s1, alpha=.1, color='r')
plt.fill_between(sizes, m2 - s2, m2 + s2, alpha=.1, color='g')
plt.plot(sizes, m1, 'o-', color='r', label='Training score')
plt.plot(sizes, m2, 'o-', color='g', label='Cross-validation score')
plt.xlabel('Training examples')
plt.ylabel('Score')
plt.legend(loc='best')
# %% right: loop on axes, default colours
fig, ax = plt.subplots(figsize=(9, 6))
for sc, lab in [(tr_sc, 'Training score'), (te_sc, 'Cross-validation score')]:
    m, s = np.mean(sc, axis=1), np.std(sc, axis=1)
    ax.plot(sizes, m, marker='o', label=lab)
    ax.fill_between(sizes, m - s, m + s, alpha=.2)
ax.set_xlabel('Training examples'); ax.set_ylabel('Score')
ax.set_title('Learning curve')
ax.legend(); ax.grid(True)
# %% right: the CV line first, title, legend below
cm, cs = te_sc.mean(axis=1), te_sc.std(axis=1)
tm, ts = tr_sc.mean(axis=1), tr_sc.std(axis=1)
plt.figure(figsize=(8, 5))
plt.plot(sizes, cm, 'o-', c='darkorange', lw=2, label='Cross-validation score')
plt.fill_between(sizes, cm + cs, cm - cs, color='darkorange', alpha=.15)
plt.plot(sizes, tm, 'o-', c='navy', lw=2, label='Training score')
plt.fill_between(sizes, tm + ts, tm - ts, color='navy', alpha=.15)
plt.title('Learning curve (naive Bayes)')
plt.xlabel('Training examples'); plt.ylabel('Score')
plt.legend(loc='lower right')
# %% right: LearningCurveDisplay
from sklearn.model_selection import LearningCurveDisplay
disp = LearningCurveDisplay(train_sizes=sizes, train_scores=tr_sc, test_scores=te_sc, score_name='Score')
disp.plot(std_display_style='fill_between', line_kw={'marker': 'o'})
h, _ = disp.ax_.get_legend_handles_labels()
disp.ax_.legend(h, ['Training score', 'Cross-validation score'])
disp.ax_.set_xlabel('Training examples'); disp.ax_.set_ylabel('Score')
# %% right, before show: title and grid
plt.title('Learning curve')
plt.grid()
# %% wrong: labels exchanged
m1, s1, m2, s2 = tr_sc.mean(1), tr_sc.std(1), te_sc.mean(1), te_sc.std(1)
plt.fill_between(sizes, m1 - s1, m1 + s1, alpha=.1, color='r')
plt.fill_between(sizes, m2 - s2, m2 + s2, alpha=.1, color='g')
plt.plot(sizes, m1, 'o-', color='r', label='Cross-validation score')
plt.plot(sizes, m2, 'o-', color='g', label='Training score')
plt.xlabel('Training examples'); plt.ylabel('Score')
plt.legend(loc='best')
# %% wrong: no bands
plt.plot(sizes, tr_sc.mean(1), 'o-', color='r', label='Training score')
plt.plot(sizes, te_sc.mean(1), 'o-', color='g', label='Cross-validation score')
plt.xlabel('Training examples'); plt.ylabel('Score')
plt.legend(loc='best')
# %% wrong, changed: first fold instead of the mean
#- m1, s1, m2, s2 = tr_sc.mean(1), tr_sc.std(1), te_sc.mean(1), te_sc.std(1)
#- plt.figure()
m1, s1, m2, s2 = tr_sc[:, 0], tr_sc.std(1), te_sc[:, 0], te_sc.std(1)
#- plt.xlabel('Training examples')
#- plt.ylabel('Score')
plt.xlabel('Training examples'); plt.ylabel('Score')
# %% wrong, changed: error against the size instead of the score
#- m1, s1, m2, s2 = tr_sc.mean(1), tr_sc.std(1), te_sc.mean(1), te_sc.std(1)
#- plt.figure()
m1, s1, m2, s2 = 1 - tr_sc.mean(1), tr_sc.std(1), 1 - te_sc.mean(1), te_sc.std(1)
#- plt.xlabel('Training examples')
#- plt.ylabel('Score')
plt.xlabel('Training examples'); plt.ylabel('Score')
# %% wrong: cross-validation curve missing
m1, s1 = tr_sc.mean(1), tr_sc.std(1)
plt.fill_between(sizes, m1 - s1, m1 + s1, alpha=.1, color='r')
plt.plot(sizes, m1, 'o-', color='r', label='Training score')
plt.xlabel('Training examples'); plt.ylabel('Score')
plt.legend(loc='best')
# %% gold: From tr_v and te_v (rows are the values of ks, columns are folds), plot the mean training accuracy and the mean validation accuracy of kNN against ks on a logarithmic x axis, and mark the k with the best mean validation accuracy by a vertical dashed line. Add a legend and the title 'Validation curve'.
plt.figure()
plt.plot(ks, tr_v.mean(axis=1), label='train')
plt.plot(ks, te_v.mean(axis=1), label='validation')
plt.axvline(ks[te_v.mean(axis=1).argmax()], ls='--', color='k')
plt.xscale('log')
plt.title('Validation curve')
plt.legend()
# %% right: semilogx with markers
fig, ax = plt.subplots(figsize=(8, 5))
ax.semilogx(ks, np.mean(tr_v, axis=1), 'o-', label='Training accuracy', color='tab:red')
ax.semilogx(ks, np.mean(te_v, axis=1), 's-', label='Validation accuracy', color='tab:blue')
best = ks[int(np.argmax(np.mean(te_v, axis=1)))]
ax.axvline(best, linestyle='--', color='grey', label=f'best k = {best}')
ax.set(title='Validation curve', xlabel='k', ylabel='accuracy')
ax.legend()
# %% right: by a DataFrame's plot
df = pd.DataFrame({'train': tr_v.mean(1), 'validation': te_v.mean(1)}, index=ks)
ax = df.plot(logx=True, title='Validation curve', marker='o')
ax.axvline(df['validation'].idxmax(), linestyle='--', c='green')
ax.set_xlabel('n_neighbors')
# %% right, before show: axis labels and grid
plt.xlabel('k')
plt.ylabel('accuracy')
plt.grid(True, which='both', alpha=.3)
# %% right: ticks at the values of ks
plt.figure(figsize=(9, 5))
plt.axvline(ks[te_v.mean(axis=1).argmax()], linestyle='--', color='tab:purple')
plt.plot(ks, te_v.mean(axis=1), 'o-', label='Validation score')
plt.plot(ks, tr_v.mean(axis=1), 'o-', label='Training score')
plt.xscale('log'); plt.xticks(ks, ks); plt.minorticks_off()
plt.legend(loc='lower left'); plt.title('Validation curve'); plt.ylabel('mean accuracy')
# %% right: errors of the folds not shown, log axis by set_xscale
fig, ax = plt.subplots()
for v, l, k in [(tr_v, 'Train', 'r.-'), (te_v, 'Validation', 'b.-')]:
    ax.plot(ks, v.mean(1), k, label=l)
ax.set_xscale('log'); ax.legend(loc='center right')
ax.axvline(ks[np.argmax(te_v.mean(1))], color='orange', ls='--')
ax.set_title('Validation curve'); ax.set_xlabel('number of neighbours'); ax.set_ylabel('accuracy'); ax.grid(True)
# %% wrong, before show: linear axis
plt.xscale('linear')
# %% wrong: line at the best training score
plt.plot(ks, tr_v.mean(axis=1), label='train')
plt.plot(ks, te_v.mean(axis=1), label='validation')
plt.axvline(ks[tr_v.mean(axis=1).argmax()], ls='--', color='k')
plt.xscale('log'); plt.title('Validation curve'); plt.legend()
# %% wrong: validation only
plt.plot(ks, te_v.mean(axis=1), label='validation')
plt.axvline(ks[te_v.mean(axis=1).argmax()], ls='--', color='k')
plt.xscale('log'); plt.title('Validation curve'); plt.legend()
# %% wrong: mean over the wrong axis
plt.plot(ks[:5], tr_v.mean(axis=0), label='train')
plt.plot(ks[:5], te_v.mean(axis=0), label='validation')
plt.axvline(ks[te_v.mean(axis=0).argmax()], ls='--', color='k')
plt.xscale('log'); plt.title('Validation curve'); plt.legend()
# %% wrong: title missing, line missing
plt.plot(ks, tr_v.mean(axis=1), label='train')
plt.plot(ks, te_v.mean(axis=1), label='validation')
plt.xscale('log'); plt.legend()
