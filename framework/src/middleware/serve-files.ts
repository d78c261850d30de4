/**
 * Static files from a map that is built at start: a path that is not in the map is not a file, so
 * there is nothing to traverse. Each answer, with and without a body, is prepared once.
 *
 * A GET with `If-None-Match`, or failing that `If-Modified-Since`, that fits is answered with a 304
 * (RFC 9110 section 13.2.2).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Middleware } from '../context.ts';
import type { Request } from '../request.ts';
import type { Response } from '../response.ts';

/** Every kind of file that may stand in a public folder. */
const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.gif', 'image/gif'],
  ['.ico', 'image/vnd.microsoft.icon'],
  ['.jpg', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
]);

export interface StaticFile {
  readonly found: Response;
  readonly notModified: Response;
  readonly etag: string;
  /** In milliseconds, without the fraction of a second that HTTP dates do not have. */
  readonly modifiedAt: number;
}

/** Files by the path that serves them. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** Reads every file below the folder. Throws for one whose content type is not known. */
export function loadFiles(folder: string): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (statSync(file).isDirectory()) continue;
    const contentType = CONTENT_TYPES.get(extname(name).toLowerCase());
    if (contentType === undefined) {
      throw new TypeError(
        `Cannot serve ${file}: its content type is not known. Add ${JSON.stringify(extname(name))} to the types in serve-files, or move the file out of the public folder.`,
      );
    }
    files.set(
      `/${name.split(sep).join('/')}`,
      prepare(readFileSync(file), contentType, statSync(file).mtimeMs),
    );
  }
  return files;
}

function prepare(body: Uint8Array, contentType: string, mtime: number): StaticFile {
  const modifiedAt = Math.floor(mtime / 1000) * 1000;
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'Cache-Control': 'no-cache',
    ETag: etag,
    'Last-Modified': new Date(modifiedAt).toUTCString(),
  };
  return {
    found: { status: 200, headers: { ...headers, 'Content-Type': contentType }, body },
    notModified: { status: 304, headers, body: null },
    etag,
    modifiedAt,
  };
}

/** Answers GET and HEAD for the paths of the map; everything else goes on down the chain. */
export function serveFiles(files: StaticFiles): Middleware {
  return function serveFiles(context, next) {
    const { request } = context;
    const file = request.malformed === null ? files.get(request.path) : undefined;
    if (file === undefined || (request.method !== 'GET' && request.method !== 'HEAD'))
      return next(context);
    return isFresh(request, file) ? file.notModified : file.found;
  };
}

function isFresh({ headers }: Request, file: StaticFile): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.trim() === '*' || opaqueTags(tags).includes(file.etag);
  const since = headers['if-modified-since'];
  if (since === undefined) return false;
  const time = Date.parse(since);
  return time <= Date.now() && time >= file.modifiedAt;
}

/** The quoted tags of a list, without the mark of weakness: the comparison is the weak one. */
function opaqueTags(list: string): readonly string[] {
  return list.match(/"[^"]*"/g) ?? [];
}
