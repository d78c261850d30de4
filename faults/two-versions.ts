/**
 * A rolling upgrade that adds a field to a form: the old version and the new one serve one database, behind HAProxy.
 * The old version is the first release, which has created the database, and the new one this tree, which migrates it.
 * Each form is sent several times at once, and so to both. Half of the forms come from a page of the new version, and
 * half of these fill the field, which the old version does not declare. Each form must become one item.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encodeFields } from 'seeother/testing';
import type { Database } from '../application/database/kysely.ts';
import { FROM_SOURCE, fromSource } from '../application/testing/find-program.ts';
import type { RunningApplication } from '../application/testing/start-application.ts';
import { checkOutCommit } from '../bench/compare/checkout.ts';
import { type Ask, createAsk, logInBehind, ORIGIN } from '../deploy/ask-proxy.ts';
import { startBehind } from '../deploy/start-behind.ts';
import { compareBooks, createBooks, forEach, readItems } from './send-forms.ts';

const FIRST_RELEASE = 'v0.2.0';
const TIMES = 4;
/** Forms under way at once. */
const AT_ONCE = 5;
const ADD_FIELD = pathToFileURL(join(import.meta.dirname, 'add-field.ts')).href;

/** The first release; without its tag, says so on standard error, and is this tree. */
export function findFirstRelease(): readonly string[] {
  const tags = execFileSync('git', ['tag', '--list', FIRST_RELEASE], { encoding: 'utf8' });
  if (tags.trim() === FIRST_RELEASE) return fromSource(checkOutCommit(FIRST_RELEASE).folder);
  const note = `There is no tag ${FIRST_RELEASE} here: the old version is this tree without the new field.`;
  process.stderr.write(`${note}\n`);
  return FROM_SOURCE;
}

/** `older` is what Node runs as the old version; by default this tree, without the new field. */
export async function sendToTwoVersions(
  count: number,
  engine: Database['engine'],
  older = FROM_SOURCE,
) {
  const others = { NODE_OPTIONS: `--import=${ADD_FIELD}` };
  const behind = await startBehind('haproxy', { engine, others, program: FROM_SOURCE, older });
  try {
    const ask = createAsk(behind.proxy);
    const headers = { origin: ORIGIN, cookie: await logInBehind(ask) };
    const [old, updated] = behind.instances;
    await checkVersions(ask, headers);
    const books = createBooks();
    for (let number = 0; number < count; number++) {
      const fields = {
        _once: `form-${number}`,
        description: '',
        quantity: '1',
        location: 'Office',
      };
      const added = number % 2 === 0 ? {} : { colour: number % 4 === 1 ? 'red' : '' };
      const name = `Thing ${number}`;
      books.forms.push({ name, body: encodeFields({ name, ...added, ...fields }), path: null });
    }
    let failed = 0;
    await forEach(books.forms, AT_ONCE, async (form) => {
      const sendOnce = async () => {
        const { status, location } = await ask('/items', { headers, body: form.body });
        if (status === 303) form.path ??= location ?? null;
        if (status !== 303 || form.path !== location) failed++;
      };
      await Promise.all(Array.from({ length: TIMES }, sendOnce));
      await sendOnce();
    });
    const rows = await readItems(behind.databaseUrl);
    const [byOld, byNew] = [countForms(old), countForms(updated)];
    return { items: rows.length, byOld, byNew, failed, ...compareBooks(books, rows) };
  } finally {
    await behind.stop();
  }
}

/** Only the new version refuses a colour that is too long. Both refuse a form without a name, so nothing is saved. */
async function checkVersions(ask: Ask, headers: Readonly<Record<string, string>>): Promise<void> {
  const body = encodeFields({ colour: 'x'.repeat(41) });
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask('/items', { headers, body })));
  const known = answers.map((answer) => answer.body.includes('Colour must be 40 characters'));
  if (!known.includes(true) || !known.includes(false))
    throw new Error(`Cannot compare two versions: the field is known to ${known.join()}.`);
}

function countForms({ output }: RunningApplication): number {
  return output().log.match(/\[POST\] \/items 303/g)?.length ?? 0;
}
