/**
 * Software bills of materials in CycloneDX 1.6, in `sbom.cdx.json`: what is within a bundle, a release or a package.
 * They have no time and no random number, so the same commit gives the same bytes.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cyclonedxEsbuildPlugin } from '@cyclonedx/cyclonedx-esbuild';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import type { Plugin } from 'esbuild';
import { ROOT } from './project-files.ts';

export const SBOM = 'sbom.cdx.json';

export interface Component {
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref'?: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly acknowledgement?: string };
    readonly expression?: string;
  }[];
  readonly components?: readonly Component[];
  readonly [member: string]: unknown;
}

export interface Sbom {
  readonly metadata: { readonly component: Component; readonly lifecycles?: readonly object[] };
  readonly components: readonly Component[];
  readonly dependencies: readonly {
    readonly ref: string;
    readonly dependsOn?: readonly string[];
  }[];
  readonly [member: string]: unknown;
}

/** Members of `process.versions` that number an interface, and no library. */
const INTERFACES = new Set(['node', 'modules', 'napi']);

/** Lists the packages of which code is in the bundle, also those that came along for an unused export. */
export function writeBundleSbom(folder: string): Plugin {
  return cyclonedxEsbuildPlugin({
    specVersion: '1.6',
    outputFile: join(folder, SBOM),
    outputReproducible: true,
    validate: false,
    logLevel: 'silent',
  });
}

/** Packages whose `package.json` names no licence, with that of the text which comes along. */
const UNDECLARED: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

/** Names the licences of packages that declare none. */
export function nameLicences(folder: string): void {
  const sbom = readSbom(folder);
  const components = sbom.components.map((one) => {
    const id = UNDECLARED[nameOf(one)];
    if (id === undefined || (one.licenses ?? []).length > 0) return one;
    return { ...one, licenses: [{ license: { id, acknowledgement: 'concluded' } }] };
  });
  writeSbom(folder, { ...sbom, components });
}

/** Adds the Node that runs this, which a release brings, with the libraries that are compiled into it. */
export function addNode(folder: string): void {
  const sbom = readSbom(folder);
  const { node } = process.versions;
  const libraries = Object.entries(process.versions)
    .filter(([name]) => !INTERFACES.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, version = '']) => ({ type: 'library', name, version }));
  const content = createHash('sha256').update(readFileSync(process.execPath)).digest('hex');
  const component: Component = {
    type: 'platform',
    name: 'node',
    version: node,
    'bom-ref': `node@${node}`,
    hashes: [{ alg: 'SHA-256', content }],
    licenses: [{ license: { id: 'MIT', acknowledgement: 'declared' } }],
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/node@${node}`,
    components: libraries,
  };
  writeSbom(folder, {
    ...sbom,
    components: [...sbom.components, component],
    dependencies: [...sbom.dependencies, { ref: `node@${node}` }],
  });
}

/** Adds a package whose files stand in the bundle as they are, with the libraries that are compiled into it. */
export function addPackage(folder: string, name: string): void {
  const home = join(ROOT, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const list = join(home, 'versions.json');
  const inside: Record<string, string> = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : {};
  const libraries = Object.entries(inside).map(([library, its]) => ({
    ...{ type: 'library', name: library, version: its },
  }));
  const ref = `${name}@${version}`;
  const component: Component = {
    ...{ type: 'library', name, version, 'bom-ref': ref },
    licenses: [{ license: { id: license, acknowledgement: 'declared' } }],
    purl: `pkg:npm/${ref}`,
    ...(libraries.length === 0 ? {} : { components: libraries }),
  };
  const sbom = readSbom(folder);
  writeSbom(folder, {
    ...sbom,
    components: [...sbom.components, component],
    dependencies: [...sbom.dependencies, { ref }],
  });
}

/** Of a package for npm, by its `package.json`: it contains nothing but itself. */
export function writePackageSbom(folder: string): void {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, description, license } = JSON.parse(text);
  const ref = `${name}@${version}`;
  const component = {
    type: 'library',
    name,
    version,
    'bom-ref': ref,
    description,
    licenses: [{ license: { id: license, acknowledgement: 'declared' } }],
    purl: `pkg:npm/${ref}`,
  };
  writeSbom(folder, {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component },
    components: [],
    dependencies: [{ ref }],
    compositions: [{ aggregate: 'complete', assemblies: [ref] }],
  });
}

/** Of a component, as npm has it. */
export function nameOf({ group, name }: Component): string {
  return group === undefined ? name : `${group}/${name}`;
}

/** What in the file is not as the schema of CycloneDX demands; null for a valid one. */
export function findFlaws(folder: string): Promise<unknown> {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  return validator.validate(readFileSync(join(folder, SBOM), 'utf8'));
}

export function readSbom(folder: string): Sbom {
  return JSON.parse(readFileSync(join(folder, SBOM), 'utf8')) as Sbom;
}

function writeSbom(folder: string, sbom: Sbom): void {
  writeFileSync(join(folder, SBOM), `${JSON.stringify(sbom, null, 2)}\n`);
}
