#!/usr/bin/env python3
"""Imports a file of parking sessions, one JSON object per line, using only the standard library (Python 3.8 or later).

    export GATEHOUSE_URL=https://localhost:8443 GATEHOUSE_API_KEY=...
    export GATEHOUSE_CA=ca.pem          # only if the certificate comes from a private authority
    python3 import_sessions.py sessions.ndjson

Each line has the fields of a transaction; "location" is your own id of its location (tpReferenceId).
It can be run again at any time: what is already stored is Skipped.
"""
import http.client
import json
import os
import random
import ssl
import sys
import time
import urllib.error
import urllib.request

URL = os.environ["GATEHOUSE_URL"].rstrip("/")
KEY = os.environ["GATEHOUSE_API_KEY"]
TRUST = ssl.create_default_context(cafile=os.environ.get("GATEHOUSE_CA"))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Rejects redirects, which would send the key to another host. A redirect then counts as an error."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect, urllib.request.HTTPSHandler(context=TRUST))

BATCH_RECORDS = 500
BATCH_BYTES = 5 * 1024 * 1024 - 1024  # the rest is for what surrounds the records
ATTEMPTS = 8
LONGEST_PAUSE = 60
CREATED, SKIPPED, FAILED = 1, 3, 4
INTERNAL_ERROR = 99


def call(method, path, body=None):
    """Sends one request until it gets a response. Imports and reads can be repeated safely."""
    for attempt in range(1, ATTEMPTS + 1):
        request = urllib.request.Request(
            URL + path, method=method, data=body, headers={"X-API-KEY": KEY, "Content-Type": "application/json"}
        )
        asked = 0
        try:
            with OPENER.open(request, timeout=120) as answer:
                keep_pace(answer.headers)
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            trouble = f"{refusal.code} {refusal.headers.get('X-Error', '')}"
            asked = int(refusal.headers.get("Retry-After", 0))
            if refusal.code not in (408, 429) and refusal.code < 500:
                sys.exit(f"{method} {path} is refused: {trouble} {refusal.read().decode()}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            # No response, or an incomplete one. The batch may have been stored; resending it is safe.
            trouble = error
            if isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError):
                sys.exit(f"{URL} is not trusted: {error}. Name its authority in GATEHOUSE_CA.")
        if attempt < ATTEMPTS:
            pause = min(LONGEST_PAUSE, max(asked, 2 ** (attempt - 1))) + random.random()
            print(f"{method} {path}: {trouble}; again in {pause:.0f} s", file=sys.stderr)
            time.sleep(pause)
    sys.exit(f"{method} {path} failed {ATTEMPTS} times: {trouble}")


def keep_pace(headers):
    """If this was the last request of the rate limit window, waits for the next window."""
    if headers.get("X-RateLimit-Remaining") == "0":
        time.sleep(min(LONGEST_PAUSE, max(0, int(headers["X-RateLimit-Reset"]) - time.time()) + 0.1))


def pages(path, page_size):
    """All items of a list, page by page."""
    page = 1
    while True:
        answer = call("GET", f"{path}?page={page}&pageSize={page_size}")
        yield from answer["data"]
        if not answer["hasNextPage"]:
            return
        page += 1


def batches(records):
    """Batches of records that fit into a request by count and bytes, each record as JSON text."""
    batch, size = [], 0
    for record in records:
        text = json.dumps(record).encode()
        if batch and (len(batch) == BATCH_RECORDS or size + len(text) + 1 > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text) + 1
    if batch:
        yield batch


def read_sessions(file, locations):
    for line in file:
        record = json.loads(line)
        # An unknown id is sent unchanged: that record fails with a reason, and the others are imported.
        name = record.pop("location")
        record["locationUuid"] = locations.get(name, name)
        yield record


def send(batch):
    run = call("POST", "/integrations/transactions", b'{"transactions":[' + b",".join(batch) + b"]}")
    return run["results"]


def main(path):
    locations = {place["tpReferenceId"]: place["uuid"] for place in pages("/integrations/locations", 500)}
    counts = {CREATED: 0, SKIPPED: 0, FAILED: 0}
    with open(path, encoding="utf-8") as file:
        for batch in batches(read_sessions(file, locations)):
            results = send(batch)
            # The service could not store these records; the others of the batch are stored.
            again = [at for at, result in enumerate(results) if result.get("reasonCode") == INTERNAL_ERROR]
            if again:
                for at, result in zip(again, send([batch[at] for at in again])):
                    results[at] = result
            for result in results:
                counts[result["status"]] += 1
                if result["status"] == FAILED:
                    print(f'{result["reference"]}: {result["reasonCode"]} {result["errorDetail"]}', file=sys.stderr)
    print(f"created {counts[CREATED]}, skipped {counts[SKIPPED]}, failed {counts[FAILED]}")
    runs = list(pages("/integrations/imports", 100))
    print(f"{len(runs)} runs, the newest is {runs[0]['referenceUuid'] if runs else 'none'}")
    return 1 if counts[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
