/**
 * `npm run faults` runs every fault, `npm run faults -- kill` one. Exit code 1 if a promise is broken.
 * `--seconds 60` makes each step of the overloads a minute long.
 */
import { parseArgs } from 'node:util';
import { runCluster } from './cluster/run-cluster.ts';
import { copyBothWays } from './copy-both-ways.ts';
import { cutChanges, cutFolder, recordChanges } from './cut-changes.ts';
import { createPostgresPlace, DISTURBANCES, disturbPostgres } from './disturb-postgres.ts';
import { runFatalJobs } from './fatal-jobs.ts';
import { sendFilesTo } from './files-in-places.ts';
import { sendFilesThreeTimes } from './files-three-times.ts';
import { sendBehind } from './forms-five-times.ts';
import { fuzzForms } from './fuzz-forms.ts';
import { sendHostileFiles } from './hostile-files.ts';
import { killDuringAccounts } from './kill-during-accounts.ts';
import { killDuringChanges } from './kill-during-changes.ts';
import { createSqlitePlace, killDuringCreates } from './kill-during-creates.ts';
import { sendLargeFile } from './large-upload.ts';
import { overload } from './overload.ts';
import { takeAllPlaces } from './places.ts';
import { createBucketPlace, createFolderPlace } from './places-of-files.ts';
import { cutPower, recordFailedSync, recordForms, recordLongRead } from './power-cuts.ts';
import { restartInTurn } from './rolling-restart.ts';
import { findFirstRelease, sendToTwoVersions } from './two-versions.ts';

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '12' } },
});

const FAULTS: Readonly<Record<string, () => Promise<object>>> = {
  kill: async () => killDuringCreates(30, await createSqlitePlace()),
  'kill-workers': async () => killDuringCreates(30, await createSqlitePlace(), { WORKERS: '2' }),
  'kill-postgres': async () => killDuringCreates(30, await createPostgresPlace()),
  'kill-changes': async () => killDuringChanges(30, await createSqlitePlace(), createFolderPlace()),
  'kill-changes-workers': async () =>
    killDuringChanges(30, await createSqlitePlace(), createFolderPlace(), { WORKERS: '2' }),
  'kill-changes-s3': async () =>
    killDuringChanges(30, await createSqlitePlace(), await createBucketPlace()),
  'kill-changes-postgres': async () =>
    killDuringChanges(30, await createPostgresPlace(), createFolderPlace()),
  'kill-changes-postgres-s3': async () =>
    killDuringChanges(30, await createPostgresPlace(), await createBucketPlace()),
  'kill-accounts': async () => killDuringAccounts(60, await createSqlitePlace()),
  'kill-accounts-postgres': async () => killDuringAccounts(60, await createPostgresPlace()),
  'power-cuts': async () => cutPower(await recordForms(2_000), 2_000),
  'power-cuts-workers': async () => cutPower(await recordForms(2_000, { WORKERS: '2' }), 2_000),
  'power-cuts-long-read': async () => cutPower(await recordLongRead(2_000), 1_000),
  'power-cuts-changes': async () => cutChanges(await recordChanges(600), 600),
  'power-cuts-changes-postgres': async () => {
    const place = await createPostgresPlace();
    return cutFolder(await recordChanges(600, place), place, 600);
  },
  'power-cuts-failed-sync': async () => cutPower(await recordFailedSync(1_000, 'before'), 600),
  'power-cuts-failed-sync-after': async () => cutPower(await recordFailedSync(1_000, 'after'), 600),
  copy: () => copyBothWays(10),
  files: () => sendFilesThreeTimes(1_000, 30),
  'files-postgres': () => sendFilesTo({ postgres: true, s3: false }, 1_000, 30),
  'files-s3': () => sendFilesTo({ postgres: false, s3: true }, 1_000, 30),
  'files-postgres-s3': () => sendFilesTo({ postgres: true, s3: true }, 1_000, 30),
  'files-unmounted': () => sendFilesThreeTimes(300, 30, 'unmount'),
  'fatal-jobs': async () => runFatalJobs(30, await createSqlitePlace()),
  'fatal-jobs-postgres': async () => runFatalJobs(30, await createPostgresPlace()),
  'fuzz-forms': () => fuzzForms(1_000_000),
  'hostile-files': () => sendHostileFiles(10_000),
  'large-upload': () => sendLargeFile(2_048),
  'forms-behind-nginx': () => sendBehind('nginx', 1_000),
  'forms-behind-haproxy': () => sendBehind('haproxy', 1_000),
  'forms-behind-caddy': () => sendBehind('caddy', 1_000),
  places: takeAllPlaces,
  'two-versions': () => sendToTwoVersions(1_000, 'sqlite', findFirstRelease()),
  'two-versions-postgres': () => sendToTwoVersions(1_000, 'postgres', findFirstRelease()),
  'overload-nginx': () => overload('nginx', Number(values.seconds)),
  'overload-haproxy': () => overload('haproxy', Number(values.seconds)),
  'overload-alone': async () => {
    const { lost, ghosts, doubled, ...measured } = await overload(
      'service',
      Number(values.seconds),
    );
    return { lost, ghosts, doubled, measured: JSON.stringify(measured) };
  },
  'rolling-restart': () => restartInTurn(10, 20),
  ...Object.fromEntries(
    Object.keys(DISTURBANCES).map((name) => [
      name,
      () => disturbPostgres(name as keyof typeof DISTURBANCES),
    ]),
  ),
  // Last, because they need root and programs that the others do not.
  cluster: () => runCluster('hosts', 20),
  'cluster-pgbouncer': () => runCluster('pgbouncer', 20),
};

/** The figures that must be 0 in every report. */
const PROMISES = [
  'lost',
  'damaged',
  'halves',
  'ghosts',
  'doubled',
  'gaps',
  'failed',
  'slow',
  'processesEnded',
  'leftovers',
  'differences',
  'excess',
  'lockedOut',
  'letIn',
  'notOnce',
  'shownInPlace',
  'waiting',
  'unmade',
  'orphans',
];

const unknown = asked.filter((name) => !Object.hasOwn(FAULTS, name));
if (unknown.length > 0) {
  process.stderr.write(
    `Cannot run the fault ${unknown.join(', ')}: there are ${Object.keys(FAULTS).join(', ')}.\n`,
  );
  process.exit(1);
}
for (const [name, run] of Object.entries(FAULTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const report = Object.entries(await run());
  process.stdout.write(
    `${name}: ${report.map(([what, value]) => `${what} ${value}`).join(', ')}\n`,
  );
  if (report.some(([what, value]) => PROMISES.includes(what) && value !== 0)) process.exitCode = 1;
}
