/**
 * Kills the service with SIGKILL while items, with a kind and own fields, are edited, counted, lent, also two at once,
 * returned, also in parts, deleted and restored, and changes are undone. Every form without an answer is sent again
 * with the same key. In the end each form that was carried out has one event, each that was refused none, the history
 * of each item leads from its state back to its first one, and no more is lent than there is.
 */

import { randomUUID } from 'node:crypto';
import { encodeFields } from 'seeother/testing';
import type { Environment } from '../application/settings/config.ts';
import { killRepeatedly, type Place } from './kill-during-creates.ts';
import { type EventRow, readHistory, START } from './read-history.ts';
import { postForm, runStatement } from './send-forms.ts';

const ITEMS = 6;
/** A kind of things, a field of all things, and one of the kind. */
const DEFINITIONS = `insert into item_kinds (id, name, position) values (1, 'Tool', 1);
  insert into own_fields (id, kind, label, choices, item_kind, position) values
    (1, 'number', 'Volts', '[]', null, 1),
    (2, 'choices', 'Seen', '[{"id":"c1","label":"Good"},{"id":"c2","label":"Bad"}]', 1, 2)`;
const KINDS = [
  ...(['edit', 'edit', 'count', 'count', 'lend', 'lend several', 'return'] as const),
  ...(['delete', 'restore', 'undo'] as const),
];
/** Answers that say that nothing was done: an error, a missing item, a change in between. */
const REFUSALS = [400, 404, 409];

interface SentChange {
  readonly kind: (typeof KINDS)[number];
  readonly number: number;
  /** Stands in the event of an edit, a count or a loan. */
  readonly mark: string;
  readonly path: string;
  readonly body: string;
  /** The event that an undo is for. */
  readonly event: number | null;
  status: number | null;
}

export async function killDuringChanges(
  rounds: number,
  place: Place,
  environment: Environment = {},
) {
  const sent: SentChange[] = [];
  const { unanswered, slowestStart } = await killRepeatedly(rounds, place, environment, {
    async prepare(url, cookie) {
      await runStatement(place.url, DEFINITIONS);
      for (let number = 1; number <= ITEMS; number++) {
        const { name, location, tags, quantity } = START;
        const form = {
          ...{ name, location, tags: tags.join(), quantity: String(quantity) },
          ...{ kind: '1', own_1: '230', own_2: 'c1' },
        };
        await postForm(`${url}/items`, encodeFields({ ...form, _once: `item-${number}` }), cookie);
      }
    },
    async send(url, cookie) {
      try {
        const form = await nextChange(sent, url, cookie);
        if (form !== null) await sendChange(form, url, cookie);
        return true;
      } catch {
        return false;
      }
    },
    async sendAgain(url, cookie) {
      const open = sent.filter(({ status }) => status === null);
      for (const form of open) await sendChange(form, url, cookie);
      return open.length;
    },
  });
  const { events, differences } = await readHistory(place.url);
  const integrity = await place.check();
  await place.remove();
  const done = sent.filter(({ status }) => status === 303);
  const refused = sent.filter(({ status }) => REFUSALS.includes(status ?? 0));
  return {
    rounds,
    acknowledged: done.length,
    refused: refused.length,
    unanswered,
    ...compareChanges(sent, events),
    differences,
    failed: sent.length - done.length - refused.length,
    integrity,
    slowestStart,
  };
}

/** A form of a random kind for a random item, filled in as its page shows it; null if there is none. */
async function nextChange(
  sent: SentChange[],
  url: string,
  cookie: string,
): Promise<SentChange | null> {
  const kind = pick(KINDS);
  const number = 1 + Math.floor(Math.random() * ITEMS);
  const mark = randomUUID();
  const item = `/items/${number}`;
  const form = (path: string, fields: Readonly<Record<string, string>>, event = 0): SentChange => {
    const body = encodeFields({ ...fields, _once: mark });
    const change = { kind, number, mark, path, body, event: event || null, status: null };
    sent.push(change);
    return change;
  };
  switch (kind) {
    case 'edit': {
      const version = /name="version" value="(\d+)"/.exec(await show(`${url}${item}/edit`, cookie));
      if (version === null) return null;
      const own = {
        kind: pick(['', '1']),
        own_1: pick(['', '110', '230.5']),
        own_2: pick(['', 'c2']),
      };
      const fields = { ...own, name: mark, location: pick(['Attic', 'Cellar']), quantity: '500' };
      return form(`${item}/edit`, { ...fields, version: version[1] ?? '' });
    }
    case 'count': {
      const button = pick(['take', 'add']);
      return form(`${item}/quantity`, { amount: pick(['1', '2', '3']), reason: mark, button });
    }
    case 'lend':
      return form(`${item}/lend`, {
        to: mark,
        until: pick(['', '2999-12-31']),
        quantity: pick(['1', '40', '300']),
      });
    case 'lend several': {
      const ticked = { row_0: `${number}`, row_1: `${(number % ITEMS) + 1}` };
      return form('/items/select', { ...ticked, to: mark, button: 'lend' });
    }
    case 'return': {
      const lent = [
        ...(await show(`${url}${item}`, cookie)).matchAll(/name="lent" value="([^"]*)"/g),
      ];
      const [, at] = pick(lent) ?? [];
      return at === undefined ? null : form(`${item}/return`, { lent: at, part: pick(['', '1']) });
    }
    case 'delete':
    case 'restore':
      return form(`${item}/${kind}`, {});
    case 'undo': {
      const markup = await show(`${url}${item}/history`, cookie);
      const ids = [...markup.matchAll(/history\/(\d+)\/undo"/g)].map(([, id]) => Number(id));
      if (ids.length === 0) return null;
      const id = pick(ids);
      return form(`${item}/history/${id}/undo`, {}, id);
    }
  }
}

async function sendChange(form: SentChange, url: string, cookie: string): Promise<void> {
  form.status = (await postForm(`${url}${form.path}`, form.body, cookie)).status;
}

async function show(url: string, cookie: string): Promise<string> {
  const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  return answer.text();
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}

/**
 * What happened to each form, by the events that are stored: `ghosts` are those of refused forms or of none, and `gaps`
 * are skipped ids.
 */
export function compareChanges(
  sent: readonly Omit<SentChange, 'path' | 'body'>[],
  events: readonly EventRow[],
) {
  const balance = { lost: 0, doubled: 0, ghosts: 0, gaps: 0 };
  const compare = (isDone: boolean, found: number) => {
    if (isDone && found === 0) balance.lost++;
    if (!isDone && found > 0) balance.ghosts++;
    if (found > 1) balance.doubled++;
  };
  const marks = Map.groupBy(events, ({ mark }) => mark);
  const undone = Map.groupBy(events, ({ undoes }) => undoes);
  for (const { kind, status, mark, event } of sent) {
    const isDone = status === 303;
    if (kind === 'edit' || kind === 'count' || kind === 'lend')
      compare(isDone, marks.get(mark)?.length ?? 0);
    // Of an item that somebody has, it has no event.
    if (kind === 'lend several') {
      const found = marks.get(mark) ?? [];
      if (found.length > 0)
        compare(isDone, found.length / new Set(found.map(({ number }) => number)).size);
    }
    // Others may have sent the same undo.
    if (kind === 'undo' && isDone) compare(true, undone.get(event)?.length ?? 0);
  }
  const known = new Set(sent.map(({ mark }) => mark));
  balance.ghosts += events.filter(({ mark }) => mark !== null && !known.has(mark)).length;
  // One event for each delete and each return that was carried out. A restore has none of its own to count: it
  // takes a deletion back, once, and of an item that is there it is answered like one that was carried out.
  const count = (kind: string, stored: EventRow['kind']) => {
    const forms = sent.filter((form) => form.kind === kind && form.status === 303).length;
    const found = events.filter((row) => row.kind === stored && row.undoes === null).length;
    return { forms, found };
  };
  for (const { forms, found } of [count('delete', 'deleted'), count('return', 'returned')]) {
    balance.lost += Math.max(0, forms - found);
    balance.doubled += Math.max(0, found - forms);
  }
  // Additions have negative ids.
  const changes = events.filter(({ id }) => id > 0);
  balance.gaps = changes.filter(({ id }, index) => id !== index + 1).length;
  return balance;
}
