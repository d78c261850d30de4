/**
 * The stores of a site: its sessions, the receipts by which its forms count once, values and files for its forms. They
 * are on the context, so that a page with a form finds them.
 */

import type { Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { endFiles } from '../field/received-form.ts';
import { formLimitSlot } from '../form/form-of.ts';
import { type FormScript, formScriptSlot } from '../form/form-script.ts';
import { createMemoryValueStore } from '../form/memory-value-store.ts';
import type { ValueStore } from '../form/value-store.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { type BrowserScript, scriptTagsSlot } from '../http/browser-script.ts';
import {
  COUNT,
  checkOptions,
  FLAG,
  OBJECT,
  type OptionKinds,
  or,
  TEXT,
} from '../http/check-options.ts';
import type { Html } from '../http/html.ts';
import { isMultipart } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { createMemoryReceiptStore } from '../once/memory-receipt-store.ts';
import type { OnceOptions } from '../once/only-once.ts';
import type { ReceiptStore } from '../once/receipt-store.ts';
import { createMemorySessionStore } from '../session/memory-session-store.ts';
import type { SessionUser } from '../session/session.ts';
import type { SessionStore, SessionsInTransaction } from '../session/session-store.ts';
import { hasFileFields } from '../upload/file-field.ts';
import { Files } from '../upload/files.ts';
import { createMemoryFileRecords } from '../upload/memory-file-records.ts';
import { createMemoryFileStore } from '../upload/memory-file-store.ts';
import { Parking } from '../upload/parking.ts';
import {
  DEFAULT_LIMITS,
  UPLOAD_LIMITS,
  type UploadLimits,
  type Uploads,
  uploadsSlot,
} from '../upload/upload-limits.ts';

/**
 * What `createSite` stores: sessions, the receipts of forms, and values that forms need between requests. `User` is
 * that of the sessions, `Transaction` is what the work of a form writes with.
 */
export interface Stores<Transaction, User extends SessionUser = SessionUser> {
  /** With `changeFlashes`, a form leaves its message in the transaction of its work. */
  readonly sessions: SessionStore<User> & Partial<SessionsInTransaction<Transaction>>;
  readonly receipts: ReceiptStore<Transaction>;
  readonly values: ValueStore<Transaction>;
  readonly files: Files<Transaction>;
  /** Scripts of parts that stand on these stores, such as `passkeyScript`: the site serves them. None by default. */
  readonly scripts?: readonly BrowserScript[];
}

/** What `createSite` adds to the context for `formHandlers`. */
export interface StoresContext<Transaction> {
  readonly stores: Stores<Transaction> & Pick<OnceOptions, 'repeatedMessage'>;
}

/**
 * Stores in memory, for tests and first tries: the end of the process loses every session, and a form
 * that is sent again afterwards counts again. `createStores` of `seeother/database` makes lasting ones.
 */
export function createMemoryStores<User extends SessionUser = SessionUser>(): Stores<null, User> {
  return {
    sessions: createMemorySessionStore<User>(),
    receipts: createMemoryReceiptStore(),
    values: createMemoryValueStore(),
    files: new Files(createMemoryFileStore(), createMemoryFileRecords()),
  };
}

/** What is the same for all forms of a site. */
export interface SiteForms extends OnceOptions {
  /** The largest body of a form, in bytes; 1 MiB by default. A `limit` of `readForm` is stronger. */
  readonly limit?: number;
  /** The limits of forms with files. */
  readonly uploads?: UploadLimits;
  /**
   * Whether forms have a script of 6 KB, which checks each field when it is left, and shows at once what depends on a
   * field with `update`. `createSite` serves it and adds it to the policy. False by default.
   */
  readonly script?: boolean;
}

const FORMS_KINDS = {
  limit: COUNT,
  uploads: OBJECT,
  repeatedMessage: or(TEXT, null),
  script: FLAG,
} satisfies OptionKinds<SiteForms>;

/** What `provideStores` takes of the scripts of the site. */
interface ScriptsOfSite {
  readonly form: FormScript | null;
  readonly tags: ReadonlyMap<BrowserScript, Html>;
}

/** It stands before the error pages, which read forms too. */
export function provideStores<Transaction>(
  { sessions, receipts, values, files }: Stores<Transaction>,
  forms: SiteForms,
  { form: script, tags }: ScriptsOfSite,
): Middleware<unknown, StoresContext<Transaction>> {
  checkOptions('createSite', forms, FORMS_KINDS);
  const { limit, uploads: own = {}, repeatedMessage = null } = forms;
  checkOptions('createSite with forms.uploads', own, UPLOAD_LIMITS);
  const stores = { sessions, receipts, values, files, repeatedMessage };
  const limits = { ...DEFAULT_LIMITS, ...own };
  const parking = new Parking(files, limits.parked);
  const uploads: Uploads = { files: files as Files<unknown>, limits, parking };
  return describeMiddleware(
    function provideStores(context, next) {
      const { request } = context;
      uploadsSlot.set(request, uploads);
      if (hasFileFields()) files.watch();
      if (limit !== undefined) formLimitSlot.set(request, limit);
      if (script !== null) formScriptSlot.set(request, script);
      if (tags.size > 0) scriptTagsSlot.set(request, tags);
      const own = { ...context, stores };
      return isMultipart(request.headers['content-type'])
        ? endFiles(request, () => (script === null ? next(own) : tellLocation(request, next(own))))
        : next(own);
    },
    { needs: [], adds: ['stores'] },
  );
}

/**
 * `XMLHttpRequest` follows a redirect by itself, and would take the message of the next page. So the script of an
 * upload asks where it leads instead.
 */
function tellLocation(
  { headers }: Pick<Request, 'headers'>,
  answering: Awaitable<Response>,
): Awaitable<Response> {
  if (headers['tell-location'] === undefined) return answering;
  return andThen(answering, (response) => {
    const { Location: location, ...others } = response.headers;
    if (response.status !== 303 || location === undefined) return response;
    return { ...response, status: 204, headers: { ...others, 'Tell-Location': location } };
  });
}
