"""Prints the made-up runs of runs.csv: accuracy by dropout and learning rate, three seeds each, with a p value.

    python examples/marks/make_runs.py > examples/marks/runs.csv
"""

import numpy as np
rng=np.random.default_rng(12)
drops=[0,0.1,0.2,0.3,0.4,0.5,0.6]; lrs=['1e-5','3e-5','1e-4','3e-4','1e-3','3e-3']
print('dropout,lr,seed,accuracy,p')
for i,d in enumerate(drops):
    for j,l in enumerate(lrs):
        m=0.905-0.5*(d-0.27)**2-0.018*(j-2.6)**2
        p=float(np.clip(10**(-(m-0.84)/0.022),1e-4,0.9)) 
        for s in range(3):
            print(d,l,s,round(m+rng.normal(0,0.006),4),round(p*rng.uniform(0.8,1.2),4),sep=',')
