/**
 * A post of JSON that counts once, as a form does: by a key of the program (draft-ietf-httpapi-idempotency-key-header)
 * and the receipts of the site. The receipt holds the answer, because a program has no page that it could be led to.
 */
import { hash } from 'node:crypto';
import type { Context } from '../chain/context.ts';
import { formLimitSlot } from '../form/form-of.ts';
import { isKey } from '../form/read-form.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { readBody } from '../http/body.ts';
import { describeValue } from '../http/check-options.ts';
import { HttpError } from '../http/http-error.ts';
import { JSON_HEADERS, type JsonAnswer } from '../http/json.ts';
import type { Request } from '../http/request.ts';
import { MAX_ANSWER, type ReceiptKey } from '../once/receipt-store.ts';
import { refuseWithoutSession } from '../session/require-session.ts';
import { sessionOf, supersededSlot } from '../session/session.ts';
import type { StoresContext } from './stores.ts';

/**
 * Runs the work in a transaction, with a receipt, and answers with its JSON. The same request again, by its header
 * `Idempotency-Key`, gets the same answer for 90 days and does not run the work; another body with the same key is
 * refused with 422, and a request from the old id of a renewed session with 401. Without the header, nothing is
 * counted. The work must make all its writes in the transaction; if it throws, nothing is kept, and the key is free.
 */
export async function jsonOnce<Transaction, Status extends number>(
  context: Context & StoresContext<Transaction>,
  work: (transaction: Transaction) => Awaitable<JsonAnswer<Status>>,
): Promise<JsonAnswer<Status>> {
  const { request, stores } = context;
  const key = toReceiptKey(request);
  const sent = hash('sha256', await readBody(request, formLimitSlot.of(request)));
  const receipt = await stores.receipts.carryOut(key, async (transaction) => {
    const { status, body } = requireAnswer(await work(transaction));
    return JSON.stringify([sent, status, body]);
  });
  const [known, status, body] = JSON.parse(receipt) as readonly [string, Status, string];
  if (known !== sent) throw new HttpError(422, ({ words }) => words.keyReused);
  return { status, headers: JSON_HEADERS, body };
}

function requireAnswer<Answer extends JsonAnswer>(answer: Answer): Answer {
  const { body } = (answer ?? {}) as Partial<Answer>;
  if (typeof body !== 'string') {
    throw new TypeError(
      `Cannot keep the answer of jsonOnce: its work returned ${describeValue(answer)}. Return json(…).`,
    );
  }
  if (body.length <= MAX_ANSWER) return answer;
  throw new TypeError(
    `Cannot keep an answer of ${body.length} characters with its receipt, which holds ${MAX_ANSWER}: return what leads to the rest, such as its id.`,
  );
}

/** A string in quotes as of RFC 9651, or the same without. */
function toReceiptKey(request: Request): ReceiptKey | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const once = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? header;
  if (!isKey(once)) throw new HttpError(400, ({ words }) => words.idempotencyKeyUnusable);
  if (supersededSlot.of(request)) throw refuseWithoutSession();
  const digest = hash('sha256', JSON.stringify(['json', request.target]));
  return { owner: sessionOf(request)?.user.id ?? 0, once, digest };
}
