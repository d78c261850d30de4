/** A thousand forms, each sent five times in parallel, over two processes, one of which is killed half way. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { encodeFields } from 'seeother/testing';
import { type RunningApplication, startApplication } from './testing/start-application.ts';

const FORMS = 1_000;
const TIMES = 5;
/** Forms under way at once. */
const AT_ONCE = 10;
const FORM = 'application/x-www-form-urlencoded';

/** The status and the place that an answer leads to; null when the connection broke. */
type Answer = string | null;

async function send(url: string, body: string, cookie: string): Promise<Answer> {
  try {
    const answer = await fetch(`${url}/items`, {
      method: 'POST',
      headers: { 'content-type': FORM, cookie },
      body,
      redirect: 'manual',
    });
    await answer.arrayBuffer();
    return `${answer.status} ${answer.headers.get('location')}`;
  } catch {
    return null;
  }
}

async function logIn({ url }: RunningApplication): Promise<string> {
  const answer = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': FORM },
    body: encodeFields({ username: 'ada', password: 'correct horse battery' }),
    redirect: 'manual',
  });
  const [cookie = ''] = answer.headers.getSetCookie().filter((line) => line.startsWith('sid='));
  return cookie.slice(0, cookie.indexOf(';'));
}

test('a thousand forms sent five times each over two processes, one killed half way, are a thousand items', async () => {
  const first = await startApplication({ SAMPLE_ITEMS: '0' }, 'sqlite');
  const shared = { SAMPLE_ITEMS: '0', DATABASE_URL: `sqlite:${first.databaseFile}` };
  let second = await startApplication(shared);
  try {
    const cookie = await logIn(first);
    const answers: Answer[][] = [];
    const sendForm = async (number: number) => {
      const body = encodeFields({ name: `Thing ${number}`, _once: `page-${number}` });
      const targets = Array.from({ length: TIMES }, (_, time) =>
        (number + time) % 2 === 0 ? first.url : second.url,
      );
      answers[number] = await Promise.all(targets.map((url) => send(url, body, cookie)));
    };
    const sendForms = async (from: number, to: number) => {
      let next = from;
      const sendNext = async () => {
        while (next < to) await sendForm(next++);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
    };
    const restart = async () => {
      const { process, url } = second;
      const ended = once(process, 'close');
      process.kill('SIGKILL');
      await ended;
      second = await startApplication({ ...shared, PORT: new URL(url).port });
    };
    await sendForms(0, FORMS / 2);
    const rest = sendForms(FORMS / 2, FORMS);
    await Promise.all([rest, restart()]);

    const lost = answers.flat().filter((answer) => answer === null).length;
    assert.ok(lost > 0, 'no connection broke: the process was not killed while forms were sent');
    const places = answers.map((form) => new Set(form.filter((answer) => answer !== null)));
    assert.deepEqual(
      places.filter(({ size }) => size !== 1),
      [],
    );
    const numbers = places.map((all) => /^303 \/items\/(\d+)$/.exec([...all][0] ?? '')?.[1]);
    const database = new DatabaseSync(first.databaseFile, { readOnly: true });
    const rows = database.prepare('select number, name from items order by number').all();
    database.close();
    assert.deepEqual(
      rows.map(({ number }) => number),
      Array.from({ length: FORMS }, (_, index) => index + 1),
    );
    const names = new Map(rows.map(({ number, name }) => [String(number), name]));
    assert.deepEqual(
      numbers.map((number) => names.get(number ?? '')),
      Array.from({ length: FORMS }, (_, index) => `Thing ${index}`),
    );
  } finally {
    await second.stop();
    await first.stop();
  }
});
