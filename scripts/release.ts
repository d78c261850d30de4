/**
 * `npm run release`: what an administrator installs, in `dist/release`: an archive with Node and the bundle, a Debian
 * package of the same files, and their checksums. For the platform it runs on, which must be Linux.
 *
 * Two runs on one commit give the same bytes: names are sorted, and every file has the time of the commit, or that of
 * SOURCE_DATE_EPOCH, and belongs to root.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle } from './bundle.ts';
import { ROOT, readText } from './project-files.ts';
import { addNode } from './sbom.ts';

/** Where the units look for the program; the package has it in the place of packages. */
const UNIT_FOLDER = '/srv/seeother';
const PACKAGE_FOLDER = '/usr/lib/seeother';
/** What of `deploy` makes, tests or builds a release. */
const NOT_DEPLOYED = /\.ts$|\.test\.|Dockerfile|\/deploy\/(?:debian|release)(?:\/|$)/;
const UNITS = ['seeother@.service', 'seeother-backup.service', 'seeother-backup.timer'];
/** What the package calls the launcher that stands in the folder of the archive. */
const LAUNCHERS = [`LAUNCHER=${UNIT_FOLDER}/seeother`, 'LAUNCHER=seeother'] as const;
const MAINTAINER_SCRIPTS = ['postinst', 'prerm', 'postrm'];

export interface ReleaseOptions {
  readonly version: string;
  /** Seconds since 1970: the time of every file. */
  readonly time: number;
  /** From 0, which is fast, to 9. */
  readonly compression: number;
}

/** The bundle with the Node that runs this, in an empty folder of its own. */
export async function layOutRelease(folder: string): Promise<void> {
  await bundle(folder);
  copyFileSync(process.execPath, join(folder, 'node'));
  chmodSync(join(folder, 'node'), 0o755);
  addNode(folder);
  copyFileSync(join(process.execPath, '../../LICENSE'), join(folder, 'LICENSE.node.txt'));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'deploy/release'), folder, { recursive: true });
  cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), {
    recursive: true,
    filter: (path) => !NOT_DEPLOYED.test(path),
  });
}

/** Packs the folder `seeother-<version>` of `parent`; resolves to the path of the file. */
export function archive(parent: string, { version, time, compression }: ReleaseOptions): string {
  const name = `seeother-${version}`;
  const file = join(parent, `${name}-linux-${process.arch}.tar.gz`);
  const order = ['--sort=name', '--format=gnu', `--mtime=@${time}`];
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+rw'];
  // -n leaves out the time of the compression.
  const compress = `--use-compress-program=gzip -n -${Math.max(1, compression)}`;
  execFileSync('tar', ['-C', parent, ...order, ...owner, compress, '-cf', file, name]);
  return file;
}

/** Makes the Debian package of what `layOutRelease` has put into `release`. */
export function packDebian(
  release: string,
  parent: string,
  { version, time, compression }: ReleaseOptions,
): string {
  const root = join(parent, 'debian');
  rmSync(root, { recursive: true, force: true });
  const place = (path: string, text: string | Uint8Array, mode = 0o644) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  cpSync(release, join(root, PACKAGE_FOLDER), { recursive: true });
  for (const name of ['README.txt', 'LICENSE', 'LICENSES.txt', 'LICENSE.node.txt'])
    rmSync(join(root, PACKAGE_FOLDER, name));
  // It knows the user and the settings of the service; that of the archive is for a first try.
  place('usr/bin/seeother', readText('deploy/debian/seeother'), 0o755);
  const restart = 'rolling-restart.sh';
  place(join(PACKAGE_FOLDER, restart), readText(`deploy/${restart}`), 0o755);
  for (const unit of UNITS) {
    const text = readText(`deploy/${unit}`).replace(...LAUNCHERS);
    place(`usr/lib/systemd/system/${unit}`, text.replaceAll(UNIT_FOLDER, PACKAGE_FOLDER));
  }
  place(join(PACKAGE_FOLDER, 'unit.env'), toUnitEnvironment(readText(`deploy/${UNITS[0]}`)));
  place('etc/seeother.env', readText('deploy/seeother.env'), 0o640);
  const licences = ['LICENSE', 'LICENSES.txt', 'LICENSE.node.txt'];
  place(
    'usr/share/doc/seeother/copyright',
    licences.map((name) => readFileSync(join(release, name), 'utf8')).join('\n'),
  );
  place('usr/share/doc/seeother/changelog.gz', gzipSync(readText('CHANGELOG.md'), { level: 9 }));
  const bytes = execFileSync('du', ['--summarize', '--apparent-size', '--block-size=1024', root]);
  place('DEBIAN/control', toControl(version, Number.parseInt(String(bytes), 10)));
  place('DEBIAN/conffiles', '/etc/seeother.env\n');
  for (const name of MAINTAINER_SCRIPTS)
    place(`DEBIAN/${name}`, readText(`deploy/debian/${name}`), 0o755);
  const file = join(parent, `seeother_${version}_${debianArchitecture()}.deb`);
  const method = compression === 0 ? ['-Znone'] : ['-Zxz', `-z${compression}`, '--threads-max=1'];
  execFileSync('dpkg-deb', ['--root-owner-group', ...method, '--build', root, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(root, { recursive: true });
  return file;
}

/** What the unit sets, for the commands of administrators, in the format of `node --env-file`. */
function toUnitEnvironment(unit: string): string {
  const lines = [...unit.matchAll(/^Environment=(.+)$/gm)].map(([, line = '']) => line);
  return `${lines.filter((line) => !line.includes('%i')).join('\n')}\n`;
}

function toControl(version: string, kilobytes: number): string {
  return `Package: seeother
Version: ${version}
Section: web
Priority: optional
Architecture: ${debianArchitecture()}
Maintainer: The Seeother project <https://github.com/seeother/seeother/issues>
Installed-Size: ${kilobytes}
Depends: adduser, libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6
Recommends: curl
Homepage: https://github.com/seeother/seeother
Description: keeps track of a small team's things
 A web service with a list of items that people search, lend, count and change.
 It runs behind an https proxy, one instance or several on one database, and
 brings its own Node.
`;
}

const debianArchitecture = () => (process.arch === 'x64' ? 'amd64' : process.arch);

function readTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const text = given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT });
  return Number.parseInt(String(text), 10);
}

async function release(): Promise<void> {
  if (process.platform !== 'linux')
    throw new Error('Cannot make a release on this system: GNU tar and dpkg-deb are on Linux.');
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  const parent = join(ROOT, 'dist/release');
  rmSync(parent, { recursive: true, force: true });
  const folder = join(parent, `seeother-${version}`);
  await layOutRelease(folder);
  const options = { version, time: readTime(), compression: 9 };
  const files = [archive(parent, options), packDebian(folder, parent, options)];
  rmSync(folder, { recursive: true });
  const sums = files.map((file) => {
    const name = file.slice(parent.length + 1);
    process.stdout.write(`dist/release/${name}: ${(statSync(file).size / 1e6).toFixed(1)} MB.\n`);
    return `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(parent, 'SHA256SUMS'), sums.join(''));
}

if (import.meta.main) await release();
