/**
 * Posts of programs that prove by a signature who has sent them: webhooks. The body is parsed after it is proved. A
 * signature says nothing of how often a post was sent. So the handler does its writes in `once`, which stores a receipt
 * of the message, with the answer, in the same transaction.
 */
import { hash } from 'node:crypto';
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { parseJson, readValue } from '../field/json-value.ts';
import { SCHEMA, type StandardSchema } from '../field/standard-schema.ts';
import { isKey, requireUncompressed } from '../form/read-form.ts';
import type { Awaitable } from '../http/awaitable.ts';
import { readBody } from '../http/body.ts';
import { COUNT, checkOptions, FUNCTION, needed, type OptionKinds } from '../http/check-options.ts';
import { HttpError } from '../http/http-error.ts';
import type { JsonAnswer } from '../http/json.ts';
import type { Request } from '../http/request.ts';
import { empty, type PlainText, type Response } from '../http/response.ts';
import { MAX_ANSWER, type ReceiptKey, type ReceiptStore } from '../once/receipt-store.ts';
import type { NoSession } from './accept-cross-origin.ts';
import { isSigned, SCHEMES, type SchemeName, toKey } from './signature-schemes.ts';

/** What the sender is told: nothing, a text for its log, or, for a browser that brought the post, where to go on. */
export type SignedAnswer = Response<204> | Response<303> | PlainText<200> | JsonAnswer<200>;

/** What `readSigned` adds to the context. */
export interface SignedContext<Transaction, V> extends NoSession {
  readonly signed: {
    /** The same whenever the sender repeats the message. */
    readonly id: string;
    readonly value: V;
  };
  /**
   * Runs the work unless it was done before for this message, and answers as it did then; with 204 if it resolves to
   * nothing. The work must make all its writes in the transaction, and may run again when the database asks for it. If
   * it rejects, nothing is stored, and the sender repeats the message.
   */
  readonly once: (
    // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return.
    work: (transaction: Transaction) => Awaitable<SignedAnswer | void>,
  ) => Promise<SignedAnswer>;
}

/** A post that is proved: the id of its message, and its value if the body is no JSON. */
interface Proof {
  readonly id: string;
  readonly value?: unknown;
}

interface CommonOptions<V> {
  /** A Standard Schema, which reads the JSON of the body. Without it, `value` is unknown. */
  readonly schema?: StandardSchema<unknown, V>;
  /** The largest body, in bytes; 1 MiB by default. GitHub sends up to 25 MB. */
  readonly limit?: number;
}

interface SchemeOptions<Needs> {
  readonly scheme: SchemeName;
  /** All that are valid: two while the sender changes from one to the other. A function finds those of the route. */
  readonly secrets:
    | readonly string[]
    | ((context: Context & Needs) => Awaitable<readonly string[]>);
  /** Milliseconds that a signed time may differ from the clock: 5 minutes by default. GitHub signs no time. */
  readonly tolerance?: number;
  readonly now?: () => Date;
}

interface OwnSchemeOptions {
  /** Proves the post; null if it is not. It compares with `timingSafeEqual` of node:crypto. */
  readonly scheme: (sent: {
    readonly request: Request;
    readonly body: Uint8Array;
  }) => Awaitable<Proof | null>;
  readonly secrets?: never;
  readonly tolerance?: never;
  readonly now?: never;
}

/** Options of `readSigned`. */
export type SignedOptions<V, Needs = unknown> = CommonOptions<V> &
  (SchemeOptions<Needs> | OwnSchemeOptions);

const KINDS = {
  scheme: needed(
    {
      noun: `${Object.keys(SCHEMES)
        .map((name) => `'${name}'`)
        .join(', ')}, or a function`,
      accepts: (value) => typeof value === 'function' || Object.hasOwn(SCHEMES, String(value)),
    },
    "'standard-webhooks'",
  ),
  secrets: {
    noun: 'a list with a secret, or a function',
    accepts: (value) => typeof value === 'function' || (Array.isArray(value) && value.length > 0),
  },
  schema: SCHEMA,
  limit: COUNT,
  tolerance: COUNT,
  now: FUNCTION,
} satisfies OptionKinds<CommonOptions<unknown> & SchemeOptions<unknown>>;

const LIMIT = 1_048_576;
const TOLERANCE = 300_000;

/**
 * Lets signed posts from elsewhere into a route, as `acceptCrossOrigin` does, and adds what they say. Answers 400
 * unless the signature, its time and the JSON are right, and 413 for a larger body; the log has the reason. Not 401:
 * that asks a browser to log in. `receipts` are those of the site, as for `onlyOnce`.
 */
export function readSigned<Transaction, V = unknown, Needs = unknown>(
  receipts: ReceiptStore<Transaction>,
  options: SignedOptions<V, Needs>,
): Middleware<Needs, SignedContext<Transaction, V>> {
  if (typeof receipts?.carryOut !== 'function') {
    throw new TypeError(
      'Cannot read signed posts without a receipt store: a post that is sent again would count again. Pass that of the site first: readSigned(stores.receipts, { scheme, secrets }).',
    );
  }
  checkOptions('readSigned', options, KINDS);
  const { schema, limit = LIMIT } = options;
  const prove = createProof<Needs>(options);
  return describeMiddleware(
    async function readSigned(context, next) {
      const { request } = context;
      requireUncompressed(request);
      const body = await readBody(request, limit);
      const proof = await prove(context, body);
      const { value, flaw } = await readValue(proof.value, schema);
      if (flaw !== null) throw unusable(flaw);
      let isCounted = false;
      const once = async (
        // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return.
        work: (transaction: Transaction) => Awaitable<SignedAnswer | void>,
      ): Promise<SignedAnswer> => {
        const receipt = await receipts.carryOut(toReceiptKey(request, proof), async (transaction) =>
          toReceipt((await work(transaction)) ?? empty()),
        );
        isCounted = true;
        return fromReceipt(receipt);
      };
      const signed = { id: proof.id, value: value as V };
      const answer = await next({ ...context, session: null, signed, once });
      if (answer.status < 400 && !isCounted) throw withoutOnce(context);
      return answer;
    },
    {
      needs: [] as never,
      adds: ['session', 'signed', 'once'],
      acceptsCrossOrigin: true,
      // A scheme of one's own may prove what a browser brings, which shows its user a page.
      ...(typeof options.scheme === 'function' ? {} : { json: 'always' }),
    },
  );
}

/** Proves a post, or throws a 400. */
type Prove<Needs> = (context: Context & Needs, body: Uint8Array) => Promise<Proof>;

function createProof<Needs>(options: SchemeOptions<Needs> | OwnSchemeOptions): Prove<Needs> {
  if (typeof options.scheme === 'function') {
    const { scheme, secrets } = options;
    if (secrets !== undefined) {
      throw new TypeError(
        'Cannot pass secrets to readSigned with a scheme of your own: they are for its named schemes. Use them in the function.',
      );
    }
    return async ({ request }, body) => {
      const proof = await scheme({ request, body });
      if (proof === null) throw notProven('its own scheme refuses it');
      return 'value' in proof ? proof : { ...proof, value: toValue(body) };
    };
  }
  const { scheme, secrets, tolerance = TOLERANCE, now = () => new Date() } = options;
  if (secrets === undefined) {
    throw new TypeError(
      'Cannot read signed posts without their secrets: pass those that the sender shows, such as secrets: [secret].',
    );
  }
  const toKeys = (list: readonly string[]) => list.map((secret) => toKey(scheme, secret));
  const known = typeof secrets === 'function' ? null : toKeys(secrets);
  const { read, headers, idOf } = SCHEMES[scheme];
  return async (context, body) => {
    const claim = read(context.request.headers, body);
    if (claim === null || claim.signatures.length === 0)
      throw notProven(`its signature was expected in ${headers}`);
    const keys =
      known ?? toKeys(await (secrets as Exclude<typeof secrets, readonly string[]>)(context));
    if (!isSigned(claim, keys))
      throw notProven(
        `its signature does not fit ${keys.length === 1 ? 'the secret' : `any of ${keys.length} secrets`}. Compare the secret with the page of the sender, and let no proxy change the body`,
      );
    const age = claim.time === null ? 0 : now().getTime() - claim.time * 1_000;
    if (Math.abs(age) > tolerance)
      throw notProven(
        `it was signed ${Math.round(Math.abs(age) / 1_000)} seconds ${age > 0 ? 'ago' : 'in the future'}. It may be a replay; if all are refused, set the clock`,
      );
    const value = toValue(body);
    const id = claim.id ?? idOf?.(value);
    return { id: typeof id === 'string' && id !== '' ? id : hash('sha256', body), value };
  };
}

function toValue(body: Uint8Array): unknown {
  const { value, flaw } = parseJson(body);
  if (flaw !== null) throw unusable(flaw);
  return value;
}

function notProven(reason: string): HttpError {
  return new HttpError(400, ({ words }) => words.notProven, {
    reason: `The signed post is refused: ${reason}.`,
  });
}

/** It is proved, so the sender and this site do not agree. */
function unusable(flaw: string): HttpError {
  return new HttpError(400, ({ words }) => words.dataUnusable, {
    reason: `The signed post is right, and its body cannot be used: ${flaw}.`,
  });
}

/** The owner is that of a visitor; the digest excludes the key of a form. */
function toReceiptKey({ path }: Request, { id }: Proof): ReceiptKey {
  const once = isKey(id) ? id : hash('sha256', id);
  return { owner: 0, once, digest: hash('sha256', JSON.stringify(['signed', path])) };
}

/** The whole answer, because it is given again as it was. */
function toReceipt({ status, headers, body, session }: Response): string {
  const isWhole = (body === null || typeof body === 'string') && session === undefined;
  if (isWhole && status < 400 && (body?.length ?? 0) <= MAX_ANSWER)
    return JSON.stringify([status, headers, body]);
  throw new TypeError(
    `Cannot store the answer ${status} of once: it is given again when the message is repeated. Return text(…) or json(…) of at most ${MAX_ANSWER} characters, empty(), seeOther(…) or nothing; to refuse the message, throw an HttpError.`,
  );
}

function fromReceipt(receipt: string): SignedAnswer {
  const [status, headers, body] = JSON.parse(receipt) as [
    number,
    Response['headers'],
    string | null,
  ];
  return { status, headers, body } as SignedAnswer;
}

function withoutOnce({ route }: Context): TypeError {
  return new TypeError(
    `Cannot answer ${route?.method} ${route?.pattern} without a receipt: the sender repeats a message whose answer was lost, and it would count again. Return once(async (transaction) => { … }) from the handler, also for a message that needs no work.`,
  );
}
