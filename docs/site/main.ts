/**
 * `npm run docs` serves the documents. `npm run docs -- --out FOLDER` writes them as static files, without the
 * search; `--base /seeother` is for a host that serves them below this path.
 */
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from 'seeother/node';
import { bodyText, get } from 'seeother/testing';
import { readPages, readTexts } from './read-pages.ts';
import { createDocuments } from './router.ts';
import { openSearch } from './search.ts';

const { HOST = '127.0.0.1', PORT = '8001' } = process.env;
const { base, out } = parseArgs({
  options: { base: { type: 'string', default: '' }, out: { type: 'string' } },
}).values;

const pages = readPages(base);
const texts = readTexts(base);
if (out === undefined) await serveDocuments();
else await writeFiles(out);

async function serveDocuments(): Promise<void> {
  const search = await openSearch(pages);
  const server = await serve(createDocuments({ pages, base, search, texts }), {
    host: HOST,
    port: Number(PORT),
  });
  process.stdout.write(`Listening on ${server.url}${base}/\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await server.stop(1_000);
  await search.close();
}

/** Each page is the `index.html` of a folder, as every static host serves it. */
async function writeFiles(folder: string): Promise<void> {
  const site = createDocuments({ pages, base, texts });
  const write = async (path: string, file: string) => {
    const target = join(folder, file);
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, bodyText(await site.handle(get(path))));
  };
  for (const { path } of pages) await write(`${base}${path}`, `${path}index.html`);
  for (const path of texts.keys()) await write(`${base}${path}`, path);
  await write(`${base}/404`, '404.html');
  cpSync(join(import.meta.dirname, 'public'), folder, { recursive: true });
  process.stdout.write(`${pages.length} pages are in ${folder}.\n`);
}
