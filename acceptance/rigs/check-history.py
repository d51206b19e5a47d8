#!/usr/bin/env python3
"""Checks a history of the fault rig: could a service that stores every key exactly once, until it is taken back, have
answered like this?

    python3 check-history.py history.ndjson.gz [...]

It shares no code with the service nor with the rig, and needs nothing but Python 3.8. What the lines of a file mean, and
what each check is for, stands in acceptance/rigs/histories.md. Exit 0: it holds; 1: it does not; 2: it is not a whole history.
"""

import gzip
import json
import sys
from collections import Counter, defaultdict

CREATED, SKIPPED, FAILED = 1, 3, 4
SHOWN = 20


class NotAHistory(Exception):
    """The file says nothing about the service, because it is damaged, incomplete or of another form."""


def lines_of(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        for number, text in enumerate(file, start=1):
            try:
                line = json.loads(text)
                line["type"]
            except (ValueError, TypeError, KeyError):
                raise NotAHistory(f"line {number} is no event")
            yield number, line


class Operation:
    """One request of one client. The numbers of lines are the times: they are in the order of the events."""

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
    """One request of an admin to take a run back."""

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
            raise NotAHistory("nobody read the database")
        if self.verdict is None:
            raise NotAHistory("it has no verdict, so the rig did not come to its end")

    def _take(self, number, line):
        kind = line["type"]
        if (self.header is None) != (kind == "history"):
            raise NotAHistory(f"line {number} is a {kind}")
        if kind == "history":
            if line.get("version") != 2:
                raise NotAHistory(f"its form is version {line.get('version')}, known is 2")
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
    """An answer says something of every record that was sent, in that order, and of nothing else."""
    name = f"operation {operation.number}"
    if operation.is_acknowledged:
        if [key for key, _, _ in operation.results] != operation.keys:
            yield f"{name} was not answered record by record"
    for key, status, uuid in operation.results:
        if operation.is_acknowledged and status not in (CREATED, SKIPPED):
            yield f"{key} was sound and answered with status {status} by {name}"
        if (status in (CREATED, SKIPPED)) != (uuid is not None):
            yield f"{key} was answered with status {status} and uuid {uuid} by {name}"
        if status in (CREATED, SKIPPED) and not operation.is_acknowledged:
            yield f"{key} was acknowledged by {name}, which failed"


def removed_of(reading, resource):
    """uuid -> (key, run) of what is gone, because its run was taken back."""
    removed = reading[f"removed{resource.capitalize()}"]
    return {uuid: (key, run) for key, uuid, run in removed}


class Facts:
    """What was sent and told of each key of a resource, and when. A key has one life after the other, each with a uuid."""

    def __init__(self, history, resource):
        self.resource = resource
        # What is gone stays gone, so the last reading knows all of it.
        self.removed = removed_of(history.readings[-1][1], resource)
        self.undos = defaultdict(list)  # run -> requests to take it back
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
        """What the answers say of one another, in the order of time."""
        owner = {}
        for key, told in self.told.items():
            lives = defaultdict(list)
            for operation, status, uuid in told:
                lives[uuid].append((operation, status))
            lasting = sorted(uuid for uuid in lives if uuid not in self.removed)
            if len(lasting) > 1:
                yield f"{key} was told to have the uuids {' and '.join(lasting)}"
            for uuid, answers in lives.items():
                if owner.setdefault(uuid, key) != key:
                    yield f"{key} and {owner[uuid]} were told to have the same uuid {uuid}"
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
                    yield f"{key} was Skipped by operation {operation.number} after it was taken back"

    def is_gone_before(self, uuid, line):
        """Whether all that took it back was answered by then. What was not answered may have done it at any time."""
        if uuid not in self.removed:
            return False
        undos = self.undos[self.removed[uuid][1]]
        return bool(undos) and all(undo.is_settled and undo.ended < line for undo in undos)

    def rebirth_problems(self, key, creator, other, answers):
        """Created while another life is known means that somebody has begun to take that one back."""
        if not any(operation.ended < creator.invoked for operation, _ in answers):
            return
        _, run = self.removed.get(other, (key, None))
        if not any(undo.invoked < creator.ended for undo in self.undos[run]):
            yield f"{key} was Created by operation {creator.number} while {other} was stored"

    def skip_problems(self, key, skipper, creators):
        """Skipped means that somebody else's record was there: one that began before this answer came."""
        others = [other for other in self.sent[key] if other is not skipper and other.invoked < skipper.ended]
        if not others:
            yield f"{key} was Skipped by operation {skipper.number} before anybody else had sent it"
        for creator in creators:
            if creator.invoked > skipper.ended:
                yield f"{key} was Skipped by operation {skipper.number} before operation {creator.number} Created it"

    def reading_problems(self, line, reading):
        """What the database holds: all that was promised by then, once, and nothing that was not sent by then."""
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
                yield f"{key} is stored and was taken back"
        for key, told in self.told.items():
            promised = {uuid for operation, _, uuid in told if operation.ended < line and uuid not in removed}
            if promised and key not in stored:
                yield f"{key} was acknowledged and is not stored"
            elif promised and not promised & set(stored[key]):
                yield f"{key} was acknowledged as {promised.pop()} and is stored as {stored[key][0]}"


def run_problems(history, line, reading):
    """Every run that was answered is kept, with the counts that its answer had."""
    kept = defaultdict(list)
    for run in reading["runs"]:
        kept[run["referenceUuid"]].append(run)
    for reference, runs in kept.items():
        if len(runs) > 1:
            yield f"run {reference} is kept {len(runs)} times"
    for operation in history.operations.values():
        if not operation.is_acknowledged or operation.ended > line:
            continue
        runs = kept.get(operation.run)
        if runs is None:
            yield f"run {operation.run} of operation {operation.number} was acknowledged and is not kept"
            continue
        statuses = Counter(status for _, status, _ in operation.results)
        told = (operation.resource, statuses[CREATED], statuses[SKIPPED], statuses[FAILED])
        if told != tuple(runs[0][name] for name in ("resource", "created", "skipped", "failed")):
            yield f"run {operation.run} of operation {operation.number} is kept with other counts than it told"


def removal_problems(history, line, reading):
    """What is gone was taken back by somebody, and what was taken back is gone: nothing refers to a transaction."""
    asked = {undo.run for undo in history.undos.values() if undo.invoked < line}
    done = {undo.run for undo in history.undos.values() if undo.end == "ok" and undo.ended < line}
    for resource in ("transactions", "accounts"):
        removed = removed_of(reading, resource)
        for key, run in removed.values():
            if run not in asked:
                yield f"{key} was removed, and nobody took run {run} back"
        for before, earlier in history.readings:
            for uuid, (key, _) in removed_of(earlier, resource).items():
                if before < line and uuid not in removed:
                    yield f"{key} was taken back, and is so no more"
    removed = removed_of(reading, "transactions")
    for operation in history.operations.values():
        if operation.resource != "transactions" or operation.run not in done:
            continue
        for key, status, uuid in operation.results:
            if status == CREATED and uuid not in removed:
                yield f"{key} was taken back and is not gone"


def count_problems(reading):
    """Every record that is stored, or gone, was created by one run, whether or not anybody was told of it."""
    created = Counter()
    for run in reading["runs"]:
        created[run["resource"]] += run["created"]
        created["accounts"] += run["createdAccounts"]
    for resource in ("transactions", "accounts"):
        stored, removed = len(reading[resource]), len(removed_of(reading, resource))
        if created[resource] != stored + removed:
            yield f"the runs created {created[resource]} {resource}, and {stored} are stored, {removed} were taken back"


def check(path):
    history = History(path)
    found = problems_of(history)
    operations = history.operations.values()
    acknowledged = sum(operation.is_acknowledged for operation in operations)
    _, last = history.readings[-1]
    print(f"{path}: rig {history.header['rig']}, seed {history.header['seed']}")
    print(f"  operations: {len(operations)}, acknowledged {acknowledged}, of unknown end {len(operations) - acknowledged}")
    undone = {undo.run for undo in history.undos.values() if undo.end == "ok"}
    print(f"  undos: {len(history.undos)}, runs taken back {len(undone)}, transactions gone {len(last['removedTransactions'])}")
    print(f"  faults: {sum(history.faults.values())} of {len(history.faults)} kinds")
    print(f"  stored: {len(last['transactions'])} transactions, {len(last['accounts'])} accounts, {len(last['runs'])} runs")
    known = history.verdict["contradictions"]
    if known and not found:
        found = [f"the rig itself found: {problem}" for problem in known]
    for problem in found[:SHOWN]:
        print(f"  CONTRADICTION: {problem}")
    if len(found) > SHOWN:
        print(f"  and {len(found) - SHOWN} more")
    print("  it does NOT hold" if found else "  it holds")
    return not found


def main(paths):
    if not paths:
        print(__doc__)
        return 2
    try:
        return 0 if all([check(path) for path in paths]) else 1
    except (NotAHistory, OSError, EOFError, KeyError, TypeError, ValueError) as problem:
        print(f"This is not a whole history: {type(problem).__name__}: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
