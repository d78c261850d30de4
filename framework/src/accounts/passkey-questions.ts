/**
 * The questions that browsers answer with a passkey. A page with one is a GET, so a question is stored nowhere: it
 * travels in a hidden field, with its end and a signature for one use by one browser or account. What is stored is the
 * answered question, until its end: so it is answered once, on any instance.
 *
 * The key of the signatures is a row of the database, made when it is first needed, so all instances have it. Whoever
 * steals it can only ask what the site would ask: an answer still needs the passkey.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WriteTransaction } from '../database/database.ts';
import type { Table } from '../database/tables.ts';
import { createToken, toTokenKey } from '../session/token.ts';
import type { Write } from './account-store.ts';
import { TABLES } from './account-tables.ts';
import type { AccountTokens } from './account-tokens.ts';

/** What an answer is for, and whose: that of another browser, or of another account, does not count. */
export type PasskeyUse =
  | { readonly kind: 'log-in'; readonly browser: string }
  | { readonly kind: 'second factor'; readonly waiting: string }
  | { readonly kind: 'new passkey'; readonly accountId: number };

export interface PasskeyQuestions {
  /** What goes into the hidden field. */
  readonly sign: (challenge: string, use: PasskeyUse) => Promise<string>;
  /** The challenge; null if it was not asked here, for this use, or a long time ago. */
  readonly open: (asked: string, use: PasskeyUse) => Promise<string | null>;
  /**
   * Uses the question up, if the transaction commits. `again`: the same answer, within a minute, as of a double click.
   * `spent`: it was answered before.
   */
  readonly answer: (
    transaction: WriteTransaction,
    answered: {
      readonly challenge: string;
      readonly response: string;
      readonly accountId: number;
    },
  ) => Promise<'first' | 'again' | 'spent'>;
}

const MINUTE = 60_000;
/** A page that was open for longer asks again. */
const QUESTION_LIFE = 30 * MINUTE;
const REPEAT_LIFE = MINUTE;
const FOR_EVER = 100 * 365 * 86_400_000;
/** No token has such a key. */
const KEY_ROW = 'passkey questions';

export function createPasskeyQuestions({
  table,
  tokens,
  write,
  now,
}: {
  readonly table: Table<WriteTransaction>;
  readonly tokens: AccountTokens;
  readonly write: Write;
  readonly now: () => Date;
}): PasskeyQuestions {
  const findKey = async (): Promise<string | null> => {
    const sql = `select data from ${TABLES.tokens} where key = ?`;
    const [row] = await table.read<{ readonly data: string }>(sql, [KEY_ROW]);
    return row === undefined ? null : JSON.parse(row.data).key;
  };
  /** Read each time: a database that was restored has another. */
  const readKey = async (): Promise<string> => {
    const known = await findKey();
    if (known !== null) return known;
    const token = { accountId: null, data: { key: createToken() }, lifetime: FOR_EVER };
    try {
      await write((transaction) => tokens.add(transaction, 'passkey key', KEY_ROW, token));
    } catch (error) {
      // Another instance was first.
      if ((await findKey()) === null) throw error;
    }
    return (await findKey()) as string;
  };
  const signatureOf = async (challenge: string, ends: string, use: PasskeyUse) => {
    const content = JSON.stringify([challenge, ends, describeUse(use)]);
    return createHmac('sha256', await readKey())
      .update(content)
      .digest();
  };
  return {
    async sign(challenge, use) {
      const ends = String(now().getTime() + QUESTION_LIFE);
      const signature = await signatureOf(challenge, ends, use);
      return [challenge, ends, signature.toString('base64url')].join('.');
    },
    async open(asked, use) {
      const [challenge = '', ends = '', signed = ''] = asked.split('.');
      const given = Buffer.from(signed, 'base64url');
      const right = await signatureOf(challenge, ends, use);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      return Number(ends) > now().getTime() ? challenge : null;
    },
    async answer({ run }, { challenge, response, accountId }) {
      const repeat = toTokenKey(`repeat ${challenge} ${response}`);
      const key = toTokenKey(`answered ${challenge}`);
      const at = now();
      const ends = new Date(at.getTime() + QUESTION_LIFE).toISOString();
      const { rows } = await run(
        `insert into ${TABLES.tokens} (key, kind, account_id, data, created_at, ends_at)
          values (?, 'passkey answer', ?, '{}', ?, ?) on conflict do nothing returning key`,
        [key, accountId, at.toISOString(), ends],
      );
      if (rows.length === 1) {
        // A log-out ends it, and any change of what one logs in with.
        await tokens.add({ run }, 'repeat', repeat, { accountId, lifetime: REPEAT_LIFE });
        return 'first';
      }
      const again = await run(
        `select key from ${TABLES.tokens} where key = ? and kind = 'repeat' and ends_at > ?`,
        [repeat, at.toISOString()],
      );
      return again.rows.length === 1 ? 'again' : 'spent';
    },
  };
}

function describeUse(use: PasskeyUse): string {
  switch (use.kind) {
    case 'log-in':
      return `log-in ${toTokenKey(use.browser)}`;
    case 'second factor':
      return `second factor ${toTokenKey(use.waiting)}`;
    default:
      return `new passkey ${use.accountId}`;
  }
}
