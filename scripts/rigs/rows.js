const service = "packages/service/src";

/**
 * One row of the page: what breaks, when it holds, the files that show it, and the rigs of them that report figures.
 * @type {{ title: string, does: string, holds: string, files: string[], rigs?: string[] }[]}
 */
export const rows = [
  {
    title: "Model",
    does: "random histories of batches, replays, overlaps and faulty records against a small model of the specification",
    holds: "every result row and every stored row is what the model says",
    files: [`${service}/core/imports/model.slow.test.ts`],
  },
  {
    title: "Counting loop",
    does: "spoils the 1st, 2nd, 3rd ... step of an import: refused, failed, the connection cut before or after it ran, or cut while it is still on its way; once, or from there on; then replays",
    holds:
      "every key stored once under the uuid that was told, nothing orphaned, no connection lost, for every step",
    files: [`${service}/core/imports/counting-loop.slow.test.ts`],
  },
  {
    title: "History checker",
    does: "clients write down what they send and are told, and an admin takes runs back, through two instances, while these are killed and stopped, PostgreSQL is ended without warning, backends are terminated, and connections are cut, delayed and stalled",
    holds:
      "what was acknowledged is stored once with the uuid that was told, until its run is taken back; at most one Created a key and life; nothing that was never sent; `gatehouse verify` finds nothing",
    files: ["acceptance/rigs/history.test.ts"],
    rigs: ["history"],
  },
  {
    title: "Second checker",
    does: "the history of the fault rig as a file ([its form](../acceptance/rigs/histories.md)), judged by a program in Python that shares no code with the service or the rig; and a recorded history, doctored in one place at a time",
    holds:
      "it finds nothing in what was recorded, and every doctored promise: a lost record, a second Created, another uuid, a row that was never sent, a Skipped of what nobody had sent",
    files: ["acceptance/rigs/history-checker.test.ts"],
  },
  {
    title: "Races",
    does: "identical, reversed and overlapping batches at the same moment on two instances, and a writer that does not know the lock",
    holds:
      "one Created a key, the others Skipped with its uuid; createdEntities add up; no deadlock reaches a client",
    files: ["acceptance/rigs/races.test.ts"],
    rigs: ["races"],
  },
  {
    title: "Tenancy matrix",
    does: "another organization's value in every identifying field that openapi.json knows",
    holds: "the answer equals the one to a value that nobody has, byte for byte; no row of the other changes",
    files: ["acceptance/rigs/tenancy.test.ts"],
    rigs: ["tenancy"],
  },
  {
    title: "Shutdown",
    does: "SIGTERM while imports are held up in the database, and at any moment",
    holds: "what was taken up is answered, what is new is refused and stores nothing, exit 0",
    files: ["acceptance/rigs/shutdown.test.ts", "acceptance/stop.test.ts"],
    rigs: ["shutdown"],
  },
  {
    title: "Saturation",
    does: "far more imports at once than connections; 5 MB bodies without a pause from one organization beside small ones from another",
    holds:
      "every request is answered; the other does not queue behind the large bodies, and in the long form its p95 stays within twice what it was, and within twice what it is while another instance on the same machine takes them (on two cores the first is not always reached); a second flood needs no more memory than the first",
    files: ["acceptance/rigs/saturation.test.ts", `${service}/core/imports/body-cost.slow.test.ts`],
    rigs: ["saturation: many imports", "saturation: large bodies"],
  },
  {
    title: "Noisy neighbour",
    does: "one organization, its admin and their address do their worst on every declared route of both interfaces at once: 5 MB bodies, deep offsets, large pages, searches, exports, floods beyond the limits",
    holds:
      "others' imports and leads all succeed, none waits for a connection, no pool grows beyond its bound; the neighbour itself gets no 500; in the long form the others' p95 stays within twice what it was, and within twice what it is while another instance on the same machine serves the neighbour (the first is not reached yet on two cores)",
    files: [
      "acceptance/rigs/noisy-neighbour.test.ts",
      `${service}/core/operations/shared-connections.test.ts`,
      `${service}/core/console/limits.test.ts`,
    ],
    rigs: ["noisy neighbour"],
  },
  {
    title: "Disk full, database gone",
    does: "PostgreSQL gets ENOSPC from the operating system (its table's file becomes the device /dev/full, so no rights are needed), and is ended without warning, in mid-batch",
    holds:
      "500 with the referenceUuid; reads go on or say 503; it heals without a restart; the replay stores everything",
    files: ["acceptance/rigs/database-gone.test.ts", `${service}/core/imports/failures.test.ts`],
    rigs: ["disk full", "database gone"],
  },
  {
    title: "Failover",
    does: "kill -9 of a primary and all its processes under load, and the promotion of its synchronous standby; the former primary comes back as if nothing had happened",
    holds:
      "the instances go on with the new primary by themselves; what was acknowledged is stored once with the uuid that was told; a replay completes the rest; `gatehouse verify` finds nothing",
    files: ["acceptance/rigs/failover.test.ts"],
    rigs: ["failover"],
  },
  {
    title: "Upgrade",
    does: "two releases on one database under load: a migration that waits for locks and is killed, an index that is killed while it is built, instances replaced one by one and killed, all the way back and forth again, and a migration that shuts the older one out; and older releases beside this one, through which sign-ins, keys, limits, members and undone runs are tried",
    holds:
      "every request is answered, at the latest when it is sent again; what was acknowledged is stored once with the uuid that was told; the older release stays ready and can start until it is shut out, and then says so; what an older instance writes weakens no protection of this release; `gatehouse verify` finds nothing",
    files: [
      "acceptance/rigs/upgrade.test.ts",
      `${service}/core/database/schema/patience.test.ts`,
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
    does: "sends every writing request of both interfaces without its last byte, takes the authority for it away (session ended, signed out, password changed, member disabled, removed or demoted, second factor required, operator disabled; key revoked, expired or without the permission), and sends the byte",
    holds: "401 or 403, and no row of any table changes; without the loss the same request succeeds",
    files: [`${service}/core/server/held-back.slow.test.ts`],
    rigs: ["last byte held back"],
  },
  {
    title: "Backup and restore",
    does: "a backup under load, the data folder destroyed and restored; a backup cut short, changed by a bit, foreign",
    holds:
      "everything acknowledged before the backup is there with its uuid; a replay completes the rest and doubles nothing; a damaged file is refused before anything is written",
    files: ["acceptance/backup.test.ts"],
  },
  {
    title: "Several instances",
    does: "instances behind a plain TCP balancer",
    holds:
      "limits, keys, revocation, console sessions and dedup hold across them; throughput is reported, not promised",
    files: ["acceptance/rigs/instances.test.ts"],
    rigs: ["instances"],
  },
  {
    title: "Installed packages, releases of Node",
    does: "packs the packages twice, installs their files into an empty folder with install scripts blocked, and runs the service there on Node 20.19.0 and the newest 20, 22 and 24",
    holds:
      "the packages are the same bytes; the service starts, imports, shows its console and stops with 0 on each; `gatehouse-push` and a strict TypeScript project work from the client's file alone",
    files: ["acceptance/installed/installed.test.ts"],
    rigs: ["node releases"],
  },
  {
    title: "Proxies",
    does: "nginx and HAProxy with the files of deploy/ in front of two instances: full batches, bodies of 5 MiB and more, plain HTTP, forged headers, and both instances replaced under load",
    holds:
      "the answers are those of the interface; limits count the client's address; no request fails while instances are replaced",
    files: ["acceptance/rigs/proxies.test.ts", "deploy/proxies.test.ts", "deploy/monitoring.test.ts"],
    rigs: ["nginx", "haproxy"],
  },
  {
    title: "Pooler",
    does: "PgBouncer in transaction mode with its defaults, on fewer connections than there are clients, between the service and PostgreSQL; the service started twice",
    holds: "everything is stored once and replays are skipped; a second start does not hang",
    files: ["acceptance/rigs/pooler.test.ts", `${service}/core/database/pooler-client.test.ts`],
    rigs: ["pooler"],
  },
  ...(process.env["GATEHOUSE_TEST_CLUSTER"]
    ? [
        {
          title: "Cluster",
          does: "a database spread over several servers with Citus: refused records, races, an upgrade from the previous release, kills of every node, commits cut between their phases, shards moved, drained and rebalanced under load",
          holds:
            "the answers are those of one server; what was acknowledged is stored once with the uuid that was told; a worker that is gone is a 503 to its own organizations alone; `gatehouse verify` finds nothing",
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
    does: "slow headers, slow bodies, silence, wrong lengths, chunks without end, smuggling shapes",
    holds: "4xx or closed within the documented times, others unaffected",
    files: [
      `${service}/core/server/slow-requests.test.ts`,
      `${service}/core/server/malformed-requests.test.ts`,
      `${service}/core/server/large-requests.slow.test.ts`,
    ],
  },
  {
    title: "Transport",
    does: "raw sockets on both ports: pipelines of every route, read, unread and abandoned at any byte, slow and stalled bodies and readers, methods and request lines that nobody handles, half-closed and silent connections",
    holds:
      "connections, sockets, open files, places and memory are back where they were, counted inside the process; somebody else is answered 200 all the time; nothing is a fault (501 for a transfer coding aside, as the standard wants it, and 503 to who asks for too much of the console at once)",
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
    does: "every field of every kind of line of a full export, changed in turn: wrong types, null, empty, blank and endless values, unknown zones, text that is not JSON, U+0000, half surrogates, numbers and moments out of range, identifiers of others, of the future and of nobody, lines and members twice or missing; with hashes and counts that fit",
    holds:
      "refused with the line and the field, or imported, and then `gatehouse verify` finds nothing, every page of the console and the interface answers, every location takes imports and leads, and it can be exported again",
    files: [`${service}/features/exports/mutated-exports.slow.test.ts`],
    rigs: ["mutated exports"],
  },
  {
    title: "Erase and search",
    does: "one person's address and number in every column of text and JSON, by requests, uploads and people of the console, and by SQL for the rest, in several spellings; then erased, and searched for in everything that the database holds",
    holds:
      "found nowhere but in columns that are documented to stay; other people with similar addresses and other organizations keep everything",
    files: [`${service}/features/people/erase-and-search.test.ts`],
    rigs: ["erase and search"],
  },
  {
    title: "Hostile framing",
    does: "the built product with the memory of `npm start`: unfinished bodies in chunks of 1 byte to 64 KB, at once and slowly, on every route that takes one, 240 sign-ins and imports in one-byte chunks; pipelines of 100 to 10,000 requests in one write over 1 to 256 connections, answers unread",
    holds:
      "the process goes on; its memory grows by at most 128 MB and 3 bytes per byte received; another client is answered 200 all the time, and in the long form its p95 stays within 20 times what it was when quiet",
    files: [
      "acceptance/rigs/hostile-framing.test.ts",
      `${service}/core/server/parse-in-slices.test.ts`,
      `${service}/core/server/receive.test.ts`,
    ],
    rigs: ["hostile framing", "pipelines"],
  },
  {
    title: "Every route, hostile input",
    does: "years 0000 and 9999, huge numbers, U+0000, half surrogates, foreign cursors, deep, wide and endless JSON, wrong types, in every parameter and field of every published operation and every route of the console (what a route reads is found by watching it), by every role and by strangers",
    holds:
      "never a 5xx nor an error in the log; the event loop is never held for more than 100 ms at once (the short form, among other tests, allows 2 s); never more than 256 MB are left; `gatehouse verify` finds nothing",
    files: [
      `${service}/core/operations/hostile-input.slow.test.ts`,
      `${service}/core/console/hostile-input.slow.test.ts`,
      "packages/service/testing/hostile/judge.slow.test.ts",
    ],
    rigs: ["hostile input: interface", "hostile input: console"],
  },
  {
    title: "Readers",
    does: "files made to be slow for every reader (CSV, NDJSON, JSON, gzip, spreadsheets): tokens, cells and comments that do not end, deep nesting, many shared texts, no rows, archives that unpack to far more; in large, small and tiny pieces; and mutated spreadsheets",
    holds:
      "four times as many bytes take about four times the processor time, never more than eight times; every file ends in records or in a clear message; other organizations' uploads finish while slow files are being read",
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
    does: "a provider that answers every step wrongly: issuer, audience, nonce, times, signatures, subjects, look-alike addresses, endpoints, redirects, endless, slow, cut and packed answers, reused states and codes, and several of these at once",
    holds:
      "nobody is signed in who should not be; each sign-in gets 401 or 503 with what to do next, never a 500 nor an error in the log; no redirect is followed; no step takes longer than its ten seconds",
    files: [`${service}/features/openid/hostile-provider.slow.test.ts`],
    rigs: ["hostile provider"],
  },
  {
    title: "Clock",
    does: "the wall clock set back and forward by hours: that of the database, and that of one of two instances while partners and people use both in turn",
    holds:
      "nobody is locked out for more than a window, nobody is unlimited; runs are listed and dated in the order in which they were sent, no identifier comes twice, and none lasts in the future; keys, sessions and duplicates of leads count as on one machine",
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
      "unique and of the right shape; a flip is refused without the database; the key itself is kept nowhere",
    files: [
      `${service}/core/gate/api-key-format.slow.test.ts`,
      `${service}/core/organizations/api-keys.test.ts`,
    ],
  },
  {
    title: "Console",
    does: "stored markup in every name, formulas in exports, cross-site posts, guessed passwords, every route with every role, a run of 500 results",
    holds:
      "shown as text under a strict content policy, neutralised, refused, throttled; opened and filtered within a second",
    files: [
      `${service}/core/downloads/csv.test.ts`,
      `${service}/core/console/sessions/protection.test.ts`,
      `${service}/core/console/access.slow.test.ts`,
      "packages/console/e2e/markup.test.ts",
      "packages/console/e2e/runs.test.ts",
    ],
  },
];
