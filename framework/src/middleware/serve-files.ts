/**
 * Serves static files from a map that is built at start. Only paths in the map are files, so path
 * traversal is impossible. Each response, with and without a body, is prepared once; text is also
 * compressed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { describeValue } from '../http/check-options.ts';
import { checkConditions, PRECONDITION_FAILED } from '../http/conditions.ts';
import { isSafe, type Request } from '../http/request.ts';
import { checkBase } from '../router/base-path.ts';
import { rankCodings } from './accept-encoding.ts';
import { createStaticFile, type Representation, type StaticFile } from './static-file.ts';

/** The kinds of files that a public folder may contain. */
const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.gif', 'image/gif'],
  ['.ico', 'image/vnd.microsoft.icon'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
]);

/** Files by the path that serves them. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/**
 * Reads every file below the folder. Throws for a file whose content type is not known. `base` is that of
 * the router.
 */
export function loadFiles(folder: string, base = ''): StaticFiles {
  const files = new Map<string, StaticFile>();
  const visit = (path: string, url: string) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path)) visit(join(path, name), `${url}/${name}`);
      return;
    }
    const contentType = CONTENT_TYPES.get(extname(path).toLowerCase());
    if (contentType === undefined) {
      throw new TypeError(
        `Cannot serve ${path}: its content type is not known. Add ${JSON.stringify(extname(path))} to the types in serve-files, or move the file out of the public folder.`,
      );
    }
    const modifiedAt = Math.floor(statSync(path).mtimeMs / 1000) * 1000;
    files.set(url, createStaticFile(readFileSync(path), contentType, modifiedAt));
  };
  for (const name of readdirSync(folder)) visit(join(folder, name), `${checkBase(base)}/${name}`);
  return files;
}

/** Answers GET and HEAD for the paths in the map; passes everything else on. */
export function serveFiles(files: StaticFiles): Middleware {
  if (!(files instanceof Map)) {
    throw new TypeError(
      `Cannot serve ${describeValue(files)} as files: pass what loadFiles returned, serveFiles(loadFiles('public')).`,
    );
  }
  return describeMiddleware(
    function serveFiles(context, next) {
      const { request } = context;
      const file = request.malformed === null ? files.get(request.path) : undefined;
      if (file === undefined || !isSafe(request)) return next(context);
      const representation = chooseRepresentation(request, file);
      const { etag, notModified, found } = representation;
      const flaw = checkConditions(request, { etag, modifiedAt: file.modifiedAt });
      if (flaw === 412) return PRECONDITION_FAILED;
      return flaw === 304 ? notModified : found();
    },
    { needs: [], adds: [] },
  );
}

function chooseRepresentation(
  { headers }: Request,
  { representations }: StaticFile,
): Representation {
  for (const coding of rankCodings(headers['accept-encoding'])) {
    const representation = representations[coding];
    if (representation !== undefined) return representation;
  }
  return representations.identity;
}
