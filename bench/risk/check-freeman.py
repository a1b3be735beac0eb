# Scores logins (JSON on standard input) with the functions of the notebook at the path given. See check-freeman.mjs.
# Prints, for each login, null or the scores with only earlier logins known, and as the notebook's own example
# calls it: counts from earlier logins, but a log that contains this login and all later ones.
import json
import sys
import types

sys.modules["tqdm"] = types.SimpleNamespace(tqdm=types.SimpleNamespace(pandas=lambda: None))
import pandas

notebook = {}
for cell in json.load(open(sys.argv[1]))["cells"]:
    source = "".join(cell["source"])
    if "read_csv" in source:
        break  # From here on it reads its data set.
    if cell["cell_type"] == "code":
        exec(source, notebook)

score = notebook["freeman_rba_score"]
logs = pandas.DataFrame(json.load(sys.stdin))
counts = None
results = []
for position, attempt in enumerate(logs.itertuples()):
    past = logs.iloc[:position]
    own = past[past["userid"] == attempt.userid]
    if len(own) == 0:
        results.append(None)
    else:
        users = past["userid"].nunique()
        results.append([score(attempt, own, past, users), score(attempt, own, logs, users, global_hash_table=counts)])
    if counts:
        counts.increase(attempt)
    else:
        counts = notebook["OccurenceHashTable"](logs.iloc[:1], logs.columns)
print(json.dumps(results))
