/**
 * Where the decoders are: libvips and libheif, compiled to WebAssembly. In the bundle they stand in a folder beside the
 * code; otherwise they are packages. Without them the service works, and takes photos as documents.
 */
import { existsSync } from 'node:fs';

export interface PictureLibraries {
  /** Addresses of modules. */
  readonly vips: string;
  /** Null without it: then photos of iPhones are documents. */
  readonly heif: string | null;
}

/** The folder of the bundle, and the files that it has: see scripts/bundle.ts. */
export const LIBRARY_FOLDER = 'pictures';
export const LIBRARY_FILES = {
  'wasm-vips': ['lib/vips-node.mjs', 'lib/vips.wasm'],
  'libheif-js': ['libheif-wasm/libheif-bundle.mjs'],
} as const;

/** Null without them. */
export function findPictureLibraries(): PictureLibraries | null {
  const vips = find('vips-node.mjs', 'wasm-vips');
  const heif = find('libheif-bundle.mjs', 'libheif-js/libheif-wasm/libheif-bundle.mjs');
  return vips === null ? null : { vips, heif };
}

function find(file: string, module: string): string | null {
  const beside = new URL(`./${LIBRARY_FOLDER}/${file}`, import.meta.url);
  if (existsSync(beside)) return beside.href;
  try {
    return import.meta.resolve(module);
  } catch {
    return null;
  }
}
