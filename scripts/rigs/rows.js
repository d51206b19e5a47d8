const service = "packages/service/src";

/**
 * One row of the page: what breaks, when it holds, the files that show it, and the rigs of them that report figures.
 * @type {{ title: string, does: string, holds: string, files: string[], rigs?: string[] }[]}
 */
export const rows = [
  {
    title: "Model",
    does: "random histories of batches, replays, overlaps and faulty records against a small model of the specification",
    holds: "every result and every stored row matches the model",
    files: [`${service}/core/imports/model.slow.test.ts`],
  },
  {
    title: "Counting loop",
    does: "makes the 1st, 2nd, 3rd ... statement of an import fail: refused, failed, or the connection cut before, during or after it; once, or permanently; then resends the batch",
    holds:
      "for every step: each key is stored once under the acknowledged uuid, nothing is orphaned, no connection leaks",
    files: [`${service}/core/imports/counting-loop.slow.test.ts`],
  },
  {
    title: "History checker",
    does: "clients record requests and answers, and an admin undoes imports, through two instances, while instances are killed and paused, PostgreSQL is killed, backends are terminated, and connections are cut, delayed and stalled",
    holds:
      "every acknowledged record is stored once with its uuid until its import is undone; at most one Created per key until then; nothing is stored that was never sent; `gatehouse verify` finds nothing",
    files: ["acceptance/rigs/history.test.ts"],
    rigs: ["history"],
  },
  {
    title: "Second checker",
    does: "the history of the fault rig as a file ([format](../acceptance/rigs/histories.md)), checked by a Python program that shares no code with the service or the rig; and a recorded history, changed in one place at a time",
    holds:
      "it accepts the recorded history and finds every change: a lost record, a second Created, another uuid, a row that was never sent, a Skipped record that was never sent before",
    files: ["acceptance/rigs/history-checker.test.ts"],
  },
  {
    title: "Races",
    does: "identical, reversed and overlapping batches at the same moment on two instances, and a writer that ignores the lock",
    holds:
      "one Created per key, the others Skipped with its uuid; createdEntities add up; no deadlock reaches a client",
    files: ["acceptance/rigs/races.test.ts"],
    rigs: ["races"],
  },
  {
    title: "Tenancy matrix",
    does: "another organization's value in every identifying field that openapi.json knows",
    holds:
      "the answer equals the one for an unknown value, byte for byte; no row of the other organization changes",
    files: ["acceptance/rigs/tenancy.test.ts"],
    rigs: ["tenancy"],
  },
  {
    title: "Shutdown",
    does: "SIGTERM during imports, at any moment",
    holds: "imports in flight are answered, new ones are refused and store nothing, exit 0",
    files: ["acceptance/rigs/shutdown.test.ts", "acceptance/stop.test.ts"],
    rigs: ["shutdown"],
  },
  {
    title: "Saturation",
    does: "far more concurrent imports than connections; 5 MB bodies at full rate from one organization beside small ones from another",
    holds:
      "every request is answered; the other organization does not queue behind the large bodies. In the long form its p95 at most doubles, compared with a quiet service (not always reached on two cores) and with another instance taking the large bodies; a second flood needs no more memory than the first",
    files: ["acceptance/rigs/saturation.test.ts", `${service}/core/imports/body-cost.slow.test.ts`],
    rigs: ["saturation: many imports", "saturation: large bodies"],
  },
  {
    title: "Noisy neighbour",
    does: "one organization overloads every declared route of the API and the console at once: 5 MB bodies, deep offsets, large pages, searches, exports, floods beyond the limits",
    holds:
      "all imports and leads of others succeed, none waits for a connection, no pool exceeds its limit, and the noisy organization gets no 500. In the long form the others' p95 at most doubles, compared with a quiet service (not reached on two cores) and with another instance serving the noisy organization",
    files: [
      "acceptance/rigs/noisy-neighbour.test.ts",
      `${service}/core/operations/shared-connections.test.ts`,
      `${service}/core/console/limits.test.ts`,
    ],
    rigs: ["noisy neighbour"],
  },
  {
    title: "Disk full, database gone",
    does: "PostgreSQL gets ENOSPC from the operating system (a table's file becomes /dev/full), or is killed, in mid-batch",
    holds:
      "500 with the referenceUuid; reads work or answer 503; the service recovers without a restart; the resend stores everything",
    files: ["acceptance/rigs/database-gone.test.ts", `${service}/core/imports/failures.test.ts`],
    rigs: ["disk full", "database gone"],
  },
  {
    title: "Failover",
    does: "kill -9 of a primary under load, promotion of its synchronous standby, and the return of the old primary",
    holds:
      "the instances continue with the new primary automatically; every acknowledged record is stored once with its uuid; a resend completes the rest; `gatehouse verify` finds nothing",
    files: ["acceptance/rigs/failover.test.ts"],
    rigs: ["failover"],
  },
  {
    title: "Upgrade",
    does: "two releases on one database under load: a migration that waits for locks and is killed, an index build that is killed, instances replaced one by one, back and forth, and a migration that excludes the older release; and older releases beside this one, used for sign-ins, keys, limits, members and undo",
    holds:
      "every request is answered, at the latest when it is resent; every acknowledged record is stored once with its uuid; the older release stays ready until it is excluded, and then says so; writes of an older instance weaken no protection of this release; `gatehouse verify` finds nothing",
    files: [
      "acceptance/rigs/upgrade.test.ts",
      `${service}/core/database/schema/lock-timeout.test.ts`,
      `${service}/core/database/schema/concurrent-index.slow.test.ts`,
    ],
    rigs: [
      "upgrade to the next release",
      "upgrade from the previous release",
      "mixed releases: 1.1.0",
      "mixed releases: 1.0.0",
    ],
  },
  {
    title: "Last byte held back",
    does: "sends every writing request without its last byte, withdraws its authority (session ended, signed out, password changed, member disabled, removed or demoted, two-factor authentication required, operator disabled; key revoked, expired or without permission), and sends the byte",
    holds: "401 or 403, and no row changes; with its authority the same request succeeds",
    files: [`${service}/core/server/held-back.slow.test.ts`],
    rigs: ["last byte held back"],
  },
  {
    title: "Backup and restore",
    does: "a backup under load, then the data folder destroyed and restored; a truncated, changed or foreign backup file",
    holds:
      "everything acknowledged before the backup is restored with its uuid; a resend completes the rest and duplicates nothing; a damaged file is refused before anything is written",
    files: ["acceptance/backup.test.ts"],
  },
  {
    title: "Several instances",
    does: "instances behind a plain TCP balancer",
    holds:
      "limits, keys, revocation, console sessions and dedup hold across instances; throughput is reported, not promised",
    files: ["acceptance/rigs/instances.test.ts"],
    rigs: ["instances"],
  },
  {
    title: "Installed packages, releases of Node",
    does: "packs the packages twice, installs them into an empty folder with install scripts blocked, and runs the service on Node 20.19.0 and the newest 20, 22 and 24",
    holds:
      "both packages are identical; the service starts, imports, shows its console and stops with 0 on each; `gatehouse-push` and a strict TypeScript project work from the client's package alone",
    files: ["acceptance/installed/installed.test.ts"],
    rigs: ["node releases"],
  },
  {
    title: "Proxies",
    does: "nginx and HAProxy with the files of deploy/ in front of two instances: full batches, bodies of 5 MiB and more, plain HTTP, forged headers, and both instances replaced under load",
    holds:
      "the answers are unchanged; limits count the client's address; no request fails during the replacement",
    files: ["acceptance/rigs/proxies.test.ts", "deploy/proxies.test.ts", "deploy/monitoring.test.ts"],
    rigs: ["nginx", "haproxy"],
  },
  {
    title: "Pooler",
    does: "PgBouncer in transaction mode with its defaults, with fewer connections than clients, between the service and PostgreSQL; the service started twice",
    holds: "everything is stored once and resends are Skipped; a second start does not hang",
    files: ["acceptance/rigs/pooler.test.ts", `${service}/core/database/pooler-client.test.ts`],
    rigs: ["pooler"],
  },
  ...(process.env["GATEHOUSE_TEST_CLUSTER"]
    ? [
        {
          title: "Cluster",
          does: "a Citus cluster: refused records, races, an upgrade from the previous release, kills of every node, commits cut between their phases, shards moved and rebalanced under load",
          holds:
            "the answers equal those of one server; every acknowledged record is stored once with its uuid; a lost worker causes 503 for its organizations only; `gatehouse verify` finds nothing",
          files: [
            "acceptance/cluster/requests.test.ts",
            "acceptance/cluster/faults.test.ts",
            "acceptance/cluster/upgrade.test.ts",
          ],
          rigs: ["cluster: races", "cluster: faults", "cluster: upgrade"],
        },
      ]
    : []),
  {
    title: "Slow and lying clients",
    does: "slow headers, slow bodies, silence, wrong lengths, endless chunks, request smuggling",
    holds: "4xx or a closed connection within the documented times; others are not affected",
    files: [
      `${service}/core/server/slow-requests.test.ts`,
      `${service}/core/server/malformed-requests.test.ts`,
      `${service}/core/server/large-requests.slow.test.ts`,
    ],
  },
  {
    title: "Transport",
    does: "raw sockets on both ports: pipelines of every route, read, unread and abandoned at any byte, slow and stalled bodies and readers, unknown methods and malformed request lines, half-closed and silent connections",
    holds:
      "connections, sockets, open files, slots and memory return to their start values, counted inside the process; another client always gets 200; no request gets a 5xx, except 501 for an unknown transfer coding and 503 for too many console requests",
    files: [
      `${service}/core/server/transport.slow.test.ts`,
      `${service}/core/server/pipelining.test.ts`,
      `${service}/core/server/unread-answers.test.ts`,
      `${service}/core/server/address-connections.test.ts`,
      `${service}/core/imports/import-admission.test.ts`,
    ],
    rigs: ["transport"],
  },
  {
    title: "Mutated exports",
    does: "every field of every line of a full export, changed in turn: wrong types, null, empty, blank and endless values, unknown zones, invalid JSON, U+0000, lone surrogates, numbers and times out of range, foreign, future and unknown identifiers, duplicated or missing lines and members; with matching hashes and counts",
    holds:
      "refused with line and field; or imported, and then `gatehouse verify` finds nothing, every page and operation works, every location accepts imports and leads, and a new export succeeds",
    files: [`${service}/features/exports/mutated-exports.slow.test.ts`],
    rigs: ["mutated exports"],
  },
  {
    title: "Erase and search",
    does: "one person's address and number in every column of text and JSON, in several spellings; then erased, and searched for in the whole database",
    holds:
      "found only in the columns that are documented to remain; data of people with similar addresses and of other organizations is unchanged",
    files: [`${service}/features/people/erase-and-search.test.ts`],
    rigs: ["erase and search"],
  },
  {
    title: "Hostile framing",
    does: "the built product with the memory settings of `npm start`: unfinished bodies in chunks of 1 byte to 64 KB, fast and slow, on every route with a body; 240 sign-ins and imports in one-byte chunks; pipelines of 100 to 10,000 requests in one write over 1 to 256 connections, answers unread",
    holds:
      "the process survives; its memory grows by at most 128 MB plus 3 bytes per byte received; another client always gets 200, and in the long form its p95 stays within 20 times the quiet value",
    files: [
      "acceptance/rigs/hostile-framing.test.ts",
      `${service}/core/server/parse-in-slices.test.ts`,
      `${service}/core/server/receive.test.ts`,
    ],
    rigs: ["hostile framing", "pipelines"],
  },
  {
    title: "Every route, hostile input",
    does: "years 0000 and 9999, huge numbers, U+0000, lone surrogates, foreign cursors, deep, wide and endless JSON, wrong types, in every parameter and field of every operation and console route, by every role and without a session",
    holds:
      "no 5xx and no error in the log; the event loop is never blocked for more than 100 ms (2 s in the short form); at most 256 MB of memory remain; `gatehouse verify` finds nothing",
    files: [
      `${service}/core/operations/hostile-input.slow.test.ts`,
      `${service}/core/console/hostile-input.slow.test.ts`,
      "packages/service/testing/hostile/judge.slow.test.ts",
    ],
    rigs: ["hostile input: interface", "hostile input: console"],
  },
  {
    title: "Readers",
    does: "files designed to be slow for every reader (CSV, NDJSON, JSON, gzip, spreadsheets): endless tokens, cells and comments, deep nesting, many shared strings, no rows, zip bombs; in large, small and tiny pieces; and mutated spreadsheets",
    holds:
      "four times the bytes take about four times the processor time, never more than eight times; every file yields records or a clear message; uploads of other organizations finish while slow files are read",
    files: [
      "packages/record-files/src/readers.slow.test.ts",
      "packages/record-files/src/xlsx/fuzz.test.ts",
      `${service}/features/uploads/work/fair-use.slow.test.ts`,
      `${service}/features/uploads/work/cpu-budget.test.ts`,
    ],
    rigs: ["readers: large pieces", "readers: tiny pieces", "readers: small pieces of documents"],
  },
  {
    title: "Hostile OpenID provider",
    does: "a provider with wrong answers at every step: issuer, audience, nonce, times, signatures, subjects, look-alike addresses, endpoints, redirects, endless, slow, truncated and compressed answers, reused states and codes, and combinations",
    holds:
      "no one is signed in wrongly; each sign-in gets 401 or 503 with advice, never a 500 or an error in the log; no redirect is followed; no step exceeds ten seconds",
    files: [`${service}/features/openid/hostile-provider.slow.test.ts`],
    rigs: ["hostile provider"],
  },
  {
    title: "Clock",
    does: "the wall clock of the database, or of one of two instances, jumps by hours while both are in use",
    holds:
      "no one is locked out for more than a window, and no one is unlimited; imports are listed in the order in which they were sent, identifiers are unique, and none stays in the future; keys, sessions and duplicate leads behave as on one machine",
    files: [
      `${service}/core/gate/rate-limits.test.ts`,
      `${service}/core/gate/sliding-windows.slow.test.ts`,
      `${service}/core/uuidv7.test.ts`,
      `${service}/core/clock.test.ts`,
      "acceptance/rigs/clock.test.ts",
    ],
    rigs: ["clock"],
  },
  {
    title: "Keys",
    does: "100,000 generated keys; every character flipped",
    holds:
      "unique and well-formed; a changed key is refused without a database query; the key itself is stored nowhere",
    files: [
      `${service}/core/gate/api-key-format.slow.test.ts`,
      `${service}/core/organizations/api-keys.test.ts`,
    ],
  },
  {
    title: "Console",
    does: "stored markup in every name, formulas in exports, cross-site posts, password guessing, every route with every role, an import of 500 results",
    holds:
      "shown as text under a strict content policy, neutralized, refused, throttled; opened and filtered within a second",
    files: [
      `${service}/core/downloads/csv.test.ts`,
      `${service}/core/console/sessions/protection.test.ts`,
      `${service}/core/console/access.slow.test.ts`,
      "packages/console/e2e/markup.test.ts",
      "packages/console/e2e/runs.test.ts",
    ],
  },
];
