#!/usr/bin/env python3
"""Checks a history of the fault rig: could a service that stores every key exactly once, until its run is undone,
have answered like this?

    python3 check-history.py history.ndjson.gz [...]

It shares no code with the service or the rig, and needs only Python 3.8. acceptance/rigs/histories.md describes the lines
of a file and the checks. Exit 0: the history is valid; 1: it is not; 2: it is incomplete.
"""

import gzip
import json
import sys
from collections import Counter, defaultdict

CREATED, SKIPPED, FAILED = 1, 3, 4
SHOWN = 20


class NotAHistory(Exception):
    """The file cannot be judged, because it is damaged, incomplete or in another format."""


def lines_of(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        for number, text in enumerate(file, start=1):
            try:
                line = json.loads(text)
                line["type"]
            except (ValueError, TypeError, KeyError):
                raise NotAHistory(f"line {number} is not an event")
            yield number, line


class Operation:
    """One request of one client. Line numbers serve as times, because lines are in the order of the events."""

    def __init__(self, number, line):
        self.number = number
        self.invoked = line
        self.ended = None
        self.is_acknowledged = False
        self.resource = None
        self.keys = []
        self.named_accounts = []
        self.run = None
        self.results = []


class Undo:
    """One request of an admin to undo a run."""

    def __init__(self, number, line):
        self.number = number
        self.invoked = line
        self.ended = None
        self.end = None
        self.run = None

    @property
    def is_settled(self):
        return self.end in ("ok", "refused")


class History:
    def __init__(self, path):
        self.header = None
        self.operations = {}
        self.undos = {}
        self.faults = Counter()
        self.readings = []
        self.verdict = None
        self.problems = []
        for number, line in lines_of(path):
            if self.verdict is not None:
                raise NotAHistory(f"line {number} comes after the verdict")
            self._take(number, line)
        if self.header is None:
            raise NotAHistory("it is empty")
        if not self.readings:
            raise NotAHistory("it has no reading of the database")
        if self.verdict is None:
            raise NotAHistory("it has no verdict, so the rig did not finish")

    def _take(self, number, line):
        kind = line["type"]
        if (self.header is None) != (kind == "history"):
            raise NotAHistory(f"line {number} is a {kind}")
        if kind == "history":
            if line.get("version") != 2:
                raise NotAHistory(f"its format is version {line.get('version')}, and only version 2 is supported")
            self.header = line
        elif kind == "invoke":
            self._invoke(number, line)
        elif kind in ("ok", "info"):
            self._end(number, line)
        elif kind == "undo":
            undo = Undo(line["operation"], number)
            undo.run = line["run"]
            self.undos[undo.number] = undo
        elif kind == "undo-ended":
            undo = self.undos.get(line["operation"])
            if undo is None or undo.ended is not None:
                raise NotAHistory(f"line {number} ends operation {line['operation']}, which is not under way")
            undo.ended = number
            undo.end = line["end"]
        elif kind == "fault":
            self.faults[line["name"]] += line["phase"] == "begin"
        elif kind == "reading":
            self.readings.append((number, line))
        elif kind == "verdict":
            self.verdict = line
        else:
            raise NotAHistory(f"line {number} is a {kind}")

    def _invoke(self, number, line):
        if line["operation"] in self.operations:
            raise NotAHistory(f"line {number} invokes operation {line['operation']} again")
        operation = Operation(line["operation"], number)
        operation.resource = line["resource"]
        operation.keys = line["keys"]
        operation.named_accounts = line.get("namedAccounts", [])
        self.operations[operation.number] = operation

    def _end(self, number, line):
        operation = self.operations.get(line["operation"])
        if operation is None or operation.ended is not None:
            raise NotAHistory(f"line {number} ends operation {line['operation']}, which is not under way")
        operation.ended = number
        operation.is_acknowledged = line["type"] == "ok"
        operation.run = line.get("run")
        operation.results = [tuple(result) for result in line.get("results", [])]


def problems_of(history):
    found = []
    for operation in history.operations.values():
        found += answer_problems(operation)
    for resource in ("transactions", "accounts"):
        facts = Facts(history, resource)
        found += facts.promise_problems()
        for line, reading in history.readings:
            found += facts.reading_problems(line, reading)
    for line, reading in history.readings:
        found += run_problems(history, line, reading)
        found += count_problems(reading)
        found += removal_problems(history, line, reading)
    return found


def answer_problems(operation):
    """An answer has one result for every record that was sent, in the same order."""
    name = f"operation {operation.number}"
    if operation.is_acknowledged:
        if [key for key, _, _ in operation.results] != operation.keys:
            yield f"{name} was not answered record by record"
    for key, status, uuid in operation.results:
        if operation.is_acknowledged and status not in (CREATED, SKIPPED):
            yield f"{key} was valid and answered with status {status} by {name}"
        if (status in (CREATED, SKIPPED)) != (uuid is not None):
            yield f"{key} was answered with status {status} and uuid {uuid} by {name}"
        if status in (CREATED, SKIPPED) and not operation.is_acknowledged:
            yield f"{key} was acknowledged by {name}, which failed"


def removed_of(reading, resource):
    """uuid -> (key, run) of the records that were removed because their run was undone."""
    removed = reading[f"removed{resource.capitalize()}"]
    return {uuid: (key, run) for key, uuid, run in removed}


class Facts:
    """The requests and answers for each key of a resource. Each time a key is created again, it gets another uuid."""

    def __init__(self, history, resource):
        self.resource = resource
        # Removed records stay removed, so the last reading contains all of them.
        self.removed = removed_of(history.readings[-1][1], resource)
        self.undos = defaultdict(list)  # run -> requests to undo it
        for undo in history.undos.values():
            self.undos[undo.run].append(undo)
        self.sent = defaultdict(list)  # key -> lines on which it was sent, with the operation
        self.told = defaultdict(list)  # key -> (operation, status, uuid)
        for operation in history.operations.values():
            own = operation.keys if operation.resource == resource else []
            named = operation.named_accounts if resource == "accounts" else []
            for key in {*own, *named}:
                self.sent[key].append(operation)
            if operation.resource == resource:
                for key, status, uuid in operation.results:
                    if uuid is not None:
                        self.told[key].append((operation, status, uuid))

    def promise_problems(self):
        """Contradictions between answers, in the order of time."""
        owner = {}
        for key, told in self.told.items():
            lives = defaultdict(list)
            for operation, status, uuid in told:
                lives[uuid].append((operation, status))
            lasting = sorted(uuid for uuid in lives if uuid not in self.removed)
            if len(lasting) > 1:
                yield f"{key} was answered with the uuids {' and '.join(lasting)}"
            for uuid, answers in lives.items():
                if owner.setdefault(uuid, key) != key:
                    yield f"{key} and {owner[uuid]} were answered with the same uuid {uuid}"
                yield from self.life_problems(key, uuid, answers)
                others = [other for other in lives if other != uuid]
                for creator in (operation for operation, status in answers if status == CREATED):
                    for other in others:
                        yield from self.rebirth_problems(key, creator, other, lives[other])

    def life_problems(self, key, uuid, answers):
        creators = [operation for operation, status in answers if status == CREATED]
        if len(creators) > 1:
            yield f"{key} was Created {len(creators)} times"
        first_end = min(operation.ended for operation, _ in answers)
        for creator in creators:
            if first_end < creator.invoked:
                yield f"{key} was acknowledged before operation {creator.number}, which Created it, began"
        for operation, status in answers:
            if status == SKIPPED:
                yield from self.skip_problems(key, operation, creators)
                if self.is_gone_before(uuid, operation.invoked):
                    yield f"{key} was Skipped by operation {operation.number} after it was undone"

    def is_gone_before(self, uuid, line):
        """Whether all requests to undo it were answered by then. An unanswered one may have undone it at any time."""
        if uuid not in self.removed:
            return False
        undos = self.undos[self.removed[uuid][1]]
        return bool(undos) and all(undo.is_settled and undo.ended < line for undo in undos)

    def rebirth_problems(self, key, creator, other, answers):
        """A key can be Created again only if an undo of its earlier record has begun."""
        if not any(operation.ended < creator.invoked for operation, _ in answers):
            return
        _, run = self.removed.get(other, (key, None))
        if not any(undo.invoked < creator.ended for undo in self.undos[run]):
            yield f"{key} was Created by operation {creator.number} while {other} was stored"

    def skip_problems(self, key, skipper, creators):
        """Skipped means that another request, which began before this answer came, stored the record."""
        others = [other for other in self.sent[key] if other is not skipper and other.invoked < skipper.ended]
        if not others:
            yield f"{key} was Skipped by operation {skipper.number} before any other operation had sent it"
        for creator in creators:
            if creator.invoked > skipper.ended:
                yield f"{key} was Skipped by operation {skipper.number} before operation {creator.number} Created it"

    def reading_problems(self, line, reading):
        """The database holds every acknowledged record once, and no record that was not sent by then."""
        stored = defaultdict(list)
        owner = {}
        for key, uuid in reading[self.resource]:
            stored[key].append(uuid)
            if owner.setdefault(uuid, key) != key:
                yield f"{key} and {owner[uuid]} are stored under the same uuid {uuid}"
        for key, uuids in stored.items():
            if len(uuids) > 1:
                yield f"{key} is stored {len(uuids)} times"
            if not any(operation.invoked < line for operation in self.sent.get(key, [])):
                yield f"{key} is stored and was never sent"
        removed = removed_of(reading, self.resource)
        for uuid, (key, _) in removed.items():
            if uuid in stored.get(key, []):
                yield f"{key} is stored and was undone"
        for key, told in self.told.items():
            promised = {uuid for operation, _, uuid in told if operation.ended < line and uuid not in removed}
            if promised and key not in stored:
                yield f"{key} was acknowledged and is not stored"
            elif promised and not promised & set(stored[key]):
                yield f"{key} was acknowledged as {promised.pop()} and is stored as {stored[key][0]}"


def run_problems(history, line, reading):
    """Every answered run is stored with the counts of its answer."""
    kept = defaultdict(list)
    for run in reading["runs"]:
        kept[run["referenceUuid"]].append(run)
    for reference, runs in kept.items():
        if len(runs) > 1:
            yield f"run {reference} is stored {len(runs)} times"
    for operation in history.operations.values():
        if not operation.is_acknowledged or operation.ended > line:
            continue
        runs = kept.get(operation.run)
        if runs is None:
            yield f"run {operation.run} of operation {operation.number} was acknowledged and is not stored"
            continue
        statuses = Counter(status for _, status, _ in operation.results)
        told = (operation.resource, statuses[CREATED], statuses[SKIPPED], statuses[FAILED])
        if told != tuple(runs[0][name] for name in ("resource", "created", "skipped", "failed")):
            yield f"run {operation.run} of operation {operation.number} is stored with other counts than its answer had"


def removal_problems(history, line, reading):
    """Removed records belong to an undone run, and its transactions are all removed, because nothing refers to them."""
    asked = {undo.run for undo in history.undos.values() if undo.invoked < line}
    done = {undo.run for undo in history.undos.values() if undo.end == "ok" and undo.ended < line}
    for resource in ("transactions", "accounts"):
        removed = removed_of(reading, resource)
        for key, run in removed.values():
            if run not in asked:
                yield f"{key} was removed, and no operation undid run {run}"
        for before, earlier in history.readings:
            for uuid, (key, _) in removed_of(earlier, resource).items():
                if before < line and uuid not in removed:
                    yield f"{key} was undone, and later it was not"
    removed = removed_of(reading, "transactions")
    for operation in history.operations.values():
        if operation.resource != "transactions" or operation.run not in done:
            continue
        for key, status, uuid in operation.results:
            if status == CREATED and uuid not in removed:
                yield f"{key} was undone and is not removed"


def count_problems(reading):
    """Every stored or removed record was created by one run, including runs whose answer was lost."""
    created = Counter()
    for run in reading["runs"]:
        created[run["resource"]] += run["created"]
        created["accounts"] += run["createdAccounts"]
    for resource in ("transactions", "accounts"):
        stored, removed = len(reading[resource]), len(removed_of(reading, resource))
        if created[resource] != stored + removed:
            yield f"the runs created {created[resource]} {resource}, and {stored} are stored, {removed} were undone"


def check(path):
    history = History(path)
    found = problems_of(history)
    operations = history.operations.values()
    acknowledged = sum(operation.is_acknowledged for operation in operations)
    _, last = history.readings[-1]
    print(f"{path}: rig {history.header['rig']}, seed {history.header['seed']}")
    print(f"  operations: {len(operations)}, acknowledged {acknowledged}, with unknown outcome {len(operations) - acknowledged}")
    undone = {undo.run for undo in history.undos.values() if undo.end == "ok"}
    print(f"  undos: {len(history.undos)}, runs undone {len(undone)}, transactions removed {len(last['removedTransactions'])}")
    print(f"  faults: {sum(history.faults.values())} of {len(history.faults)} kinds")
    print(f"  stored: {len(last['transactions'])} transactions, {len(last['accounts'])} accounts, {len(last['runs'])} runs")
    known = history.verdict["contradictions"]
    if known and not found:
        found = [f"the rig itself found: {problem}" for problem in known]
    for problem in found[:SHOWN]:
        print(f"  CONTRADICTION: {problem}")
    if len(found) > SHOWN:
        print(f"  and {len(found) - SHOWN} more")
    print("  the history is NOT valid" if found else "  the history is valid")
    return not found


def main(paths):
    if not paths:
        print(__doc__)
        return 2
    try:
        return 0 if all([check(path) for path in paths]) else 1
    except (NotAHistory, OSError, EOFError, KeyError, TypeError, ValueError) as problem:
        print(f"This is not a complete history: {type(problem).__name__}: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
