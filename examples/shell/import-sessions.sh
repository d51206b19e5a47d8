#!/bin/bash
# Imports a file of parking sessions, one JSON object per line, with curl and jq.
#
#   export GATEHOUSE_URL=https://localhost:8443 GATEHOUSE_API_KEY=...
#   export GATEHOUSE_CA=ca.pem          # only if the certificate is from a private authority
#   bash import-sessions.sh sessions.ndjson
#
# Each line has the fields of a transaction; "location" is your own id of its location (tpReferenceId).
# You can run it again at any time: stored records are Skipped.
set -euo pipefail

batch_records=500   # ordinary sessions of this number are far below the 5 MB that a request may have
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# call METHOD PATH [FILE]: sends one request until it gets a response. Imports and reads can be repeated safely.
call() {
  local attempt status asked options=(--silent --show-error --request "$1" --max-time 120)
  if [ -n "${GATEHOUSE_CA:-}" ]; then options+=(--cacert "$GATEHOUSE_CA"); fi
  if [ $# -eq 3 ]; then options+=(--header 'Content-Type: application/json' --data-binary "@$3"); fi
  for attempt in 1 2 3 4 5 6 7 8; do
    : > "$work/headers"
    # Pass the key in a file: other users of the machine can see the arguments of a process.
    if status=$(curl "${options[@]}" --header @<(echo "X-API-KEY: $GATEHOUSE_API_KEY") --dump-header "$work/headers" \
      --output "$work/answer" --write-out '%{http_code}' "${GATEHOUSE_URL%/}$2"); then
      case $status in
        200) keep_pace; return ;;
        408 | 429 | 5??) ;;
        *) echo "$1 $2 is refused: $status $(header X-Error) $(cat "$work/answer")" >&2; exit 1 ;;
      esac
    elif [ $? = 60 ]; then
      echo "$GATEHOUSE_URL is not trusted. Name its authority in GATEHOUSE_CA." >&2
      exit 1
    fi
    # Without a response (status 000), the batch may have been stored; resending it is safe.
    asked=$(header Retry-After)
    echo "$1 $2: $status $(header X-Error); again" >&2
    sleep "$((${asked:-0} > 2 ** (attempt - 1) ? asked : 2 ** (attempt - 1)))"
  done
  echo "$1 $2 failed $attempt times" >&2
  exit 1
}

# If this was the last request of the rate limit window, waits for the next window.
keep_pace() {
  if [ "$(header X-RateLimit-Remaining)" != 0 ]; then return; fi
  local seconds=$(($(header X-RateLimit-Reset) - $(date +%s) + 1))
  sleep "$((seconds < 0 ? 0 : seconds > 60 ? 60 : seconds))"
}

header() { tr -d '\r' < "$work/headers" | grep -i "^$1: " | cut -d ' ' -f 2 || true; }

# pages PATH SIZE: prints all items of a list, one per line.
pages() {
  local page=1
  while :; do
    call GET "$1?page=$page&pageSize=$2"
    jq --compact-output '.data[]' "$work/answer"
    if [ "$(jq .hasNextPage "$work/answer")" = false ]; then break; fi
    page=$((page + 1))
  done
}

pages /integrations/locations 500 > "$work/locations"
jq --slurp 'map({(.tpReferenceId): .uuid}) | add // {}' "$work/locations" > "$work/uuids"

# An unknown id is sent unchanged: that record fails with a reason, and the others are imported.
jq --compact-output --slurpfile uuids "$work/uuids" \
  '.locationUuid = ($uuids[0][.location] // .location) | del(.location)' "$1" |
  split --lines "$batch_records" - "$work/batch."

for batch in "$work"/batch.*; do
  [ -e "$batch" ] || continue
  jq --slurp '{transactions: .}' "$batch" > "$work/body"
  call POST /integrations/transactions "$work/body"
  jq --compact-output '.results[]' "$work/answer" > "$work/results"
  # Code 99: the service could not store these records; the others of the batch are stored.
  jq --slurp 'map(select(.reasonCode == 99).reference)' "$work/results" > "$work/again"
  if [ "$(jq length "$work/again")" != 0 ]; then
    jq --slurp --slurpfile again "$work/again" \
      '{transactions: map(select(.transactionId | IN($again[0][])))}' "$batch" > "$work/body"
    call POST /integrations/transactions "$work/body"
    jq --compact-output 'select(.reasonCode != 99)' "$work/results" > "$work/first"
    { cat "$work/first"; jq --compact-output '.results[]' "$work/answer"; } > "$work/results"
  fi
  cat "$work/results" >> "$work/outcomes"
done

touch "$work/outcomes"
jq --raw-output 'select(.status == 4) | "\(.reference): \(.reasonCode) \(.errorDetail)"' "$work/outcomes" >&2
jq --slurp --raw-output 'def count(status): map(select(.status == status)) | length;
  "created \(count(1)), skipped \(count(3)), failed \(count(4))"' "$work/outcomes"
pages /integrations/imports 100 > "$work/runs"
jq --slurp --raw-output '"\(length) runs, the newest is \(.[0].referenceUuid // "none")"' "$work/runs"
jq --exit-status --slurp 'all(.status != 4)' "$work/outcomes" > /dev/null
