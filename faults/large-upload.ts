/**
 * Sends one large file, and watches the memory of the process that receives it: it must not grow with the file.
 * Linux only, where the kernel tells the largest memory of a process.
 */
import { mkdtempSync, openAsBlob, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peakOf, startPaperSite } from './start-paper-site.ts';

const MEBIBYTE = 1_048_576;
/** MiB. */
const MAX_GROWTH = 64;

/** All figures are in MiB; `excess` is by how much the memory has grown too much. */
export async function sendLargeFile(mebibytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'large-upload-'));
  const [database, files] = [join(folder, 'papers.db'), join(folder, 'files')];
  const { url, pid, kill } = await startPaperSite(database, files, 2 * mebibytes * MEBIBYTE);
  const send = async (size: number): Promise<number> => {
    // Without blocks on the disk.
    const file = join(folder, 'large');
    writeFileSync(file, '');
    truncateSync(file, size * MEBIBYTE);
    const form = new FormData();
    form.append('title', 'Large');
    form.append('authors.0.name', 'Ada');
    form.append('authors.0.paper', await openAsBlob(file), 'large.bin');
    const { headers } = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    return Number(headers.get('location')?.slice(1)) / MEBIBYTE;
  };
  try {
    // The first form loads what every form needs.
    await send(8);
    const before = peakOf(pid) ?? Number.NaN;
    const size = await send(mebibytes);
    const growth = Math.round(((peakOf(pid) ?? Number.NaN) - before) / 1_024);
    return { size, growth, lost: mebibytes - size, excess: Math.max(0, growth - MAX_GROWTH) };
  } finally {
    await kill();
    rmSync(folder, { recursive: true });
  }
}
