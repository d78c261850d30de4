/**
 * The order of the parts matters: the log and the headers stand outside `catchErrors`. The origin is checked before the
 * session is read, and refused after it, because the page tells an administrator the reason. An omission switches off
 * nothing.
 */
import type { Context, Middleware } from '../chain/context.ts';
import { answerUnavailable } from '../database/answer-unavailable.ts';
import {
  checkOptions,
  describeValue,
  LIST,
  OBJECT,
  type OptionKinds,
  or,
  TEXT,
} from '../http/check-options.ts';
import type { Language } from '../language/language.ts';
import { type CatchOptions, catchErrors } from '../middleware/catch-errors.ts';
import { type LanguageContext, negotiateLanguage } from '../middleware/choose-language.ts';
import type { SecurityPolicy } from '../middleware/content-security-policy.ts';
import { type LogOptions, logRequests } from '../middleware/log-requests.ts';
import { noteOrigin } from '../middleware/note-origin.ts';
import { type CrossOriginOptions, refuseCrossOrigin } from '../middleware/refuse-cross-origin.ts';
import { type HostOptions, refuseForeignHost } from '../middleware/refuse-foreign-host.ts';
import {
  type AddedBy,
  type SecureHeadersOptions,
  secureHeaders,
} from '../middleware/secure-headers.ts';
import { type StaticFiles, serveFiles } from '../middleware/serve-files.ts';
import { ROUTER_KINDS, type RouterOptions } from '../router/route-registry.ts';
import { createRouter, type Router } from '../router/router.ts';
import { loadSession, type SessionOptions } from '../session/load-session.ts';
import type { SessionContext, SessionUser } from '../session/session.ts';
import { createFailurePage, type ErrorLayout } from './error-page.ts';
import { leadToForm } from './lead-to-form.ts';
import { claimDraft } from './park-draft.ts';
import { writeRequest } from './site-log.ts';
import { serveScripts, withFiles, withScripts } from './site-scripts.ts';
import { provideStores, type SiteForms, type Stores, type StoresContext } from './stores.ts';

/** The parts of the chain, in its order. Each is on, with its own defaults; `false` switches it off. */
export interface SiteOptions<User extends SessionUser = SessionUser> extends RouterOptions {
  /**
   * The site's own origin, such as `https://guests.example`, for `host` and `crossOrigin`. Without it, over
   * http only IP addresses and `localhost` are served.
   */
  readonly publicOrigin?: string | null;
  /**
   * What forms and error pages are written in, and `language` on the context. Among several, `Accept-Language` chooses;
   * the first is for all other browsers. English by default.
   */
  readonly languages?: readonly Language[];
  /** Patterns of routes that have no session and are served at any host, such as health checks. */
  readonly except?: readonly string[];
  /** Middleware around all others, such as `serverTiming()`: no error page answers for what it throws. */
  readonly around?: readonly Middleware[];
  /** `logRequests`: one line for each request, to standard output. */
  readonly log?: false | Partial<LogOptions>;
  /** `secureHeaders`. */
  readonly headers?: false | SecureHeadersOptions<SecurityPolicy>;
  /** `catchErrors` and `answerUnavailable`: plain pages, and reports to standard error. */
  readonly errors?: false | SiteErrors;
  /** `refuseForeignHost`. */
  readonly host?: false | HostOptions;
  /** `serveFiles`; none by default. */
  readonly files?: StaticFiles;
  /** `loadSession`. */
  readonly session?: false | Omit<SessionOptions<User>, 'store'>;
  /** `refuseCrossOrigin`. */
  readonly crossOrigin?: false | CrossOriginOptions;
  /** What is the same for all forms. */
  readonly forms?: SiteForms;
}

const SITE_KINDS = {
  ...ROUTER_KINDS,
  publicOrigin: or(TEXT, null),
  languages: LIST,
  except: LIST,
  around: LIST,
  log: or(OBJECT, false),
  headers: or(OBJECT, false),
  errors: or(OBJECT, false),
  host: or(OBJECT, false),
  files: OBJECT,
  session: or(OBJECT, false),
  crossOrigin: or(OBJECT, false),
  forms: OBJECT,
} satisfies OptionKinds<SiteOptions>;

/** `layout` frames the pages of the default `page`, as the site's own layout does. */
interface SiteErrors extends Partial<CatchOptions> {
  readonly layout?: ErrorLayout;
}

/** The context of a site: for the type of a function, or of `createFormHandlers`. */
export type SiteContext<Transaction, User extends SessionUser = SessionUser> = Context &
  StoresContext<Transaction> &
  SessionContext<User>;

/** The context of a site with the options `O`. */
type ContextWith<Transaction, User extends SessionUser, O> = Context &
  StoresContext<Transaction> &
  (O extends { readonly headers: SecureHeadersOptions<infer Policy> } ? AddedBy<Policy> : unknown) &
  (O extends { readonly languages: readonly Language[] } ? LanguageContext : unknown) &
  (O extends { readonly session: false } ? unknown : SessionContext<User>);

/** Misspelt options. TypeScript itself reports one only if no other option is given. */
type Unknown<O> = { readonly [Name in Exclude<keyof O, keyof SiteOptions>]: never };

/**
 * Makes a router whose chain has every defence of a site with forms; each is switched off by its name alone.
 * Further global middleware follows with `use`, then the routes.
 */
export function createSite<
  Transaction,
  User extends SessionUser,
  const O extends SiteOptions<User>,
>(
  stores: Stores<Transaction, User>,
  options: O & Unknown<O> = {} as O & Unknown<O>,
): Router<ContextWith<Transaction, User, O>, never> {
  checkParts(stores, options);
  const { log, headers, errors, host, files, session, crossOrigin, ...others }: SiteOptions =
    options;
  const { publicOrigin: origin, languages, except = [], around = [], forms = {}, ...rest } = others;
  const publicOrigin = toOrigin(origin);
  const router: Router<Context, never> = createRouter(rest);
  for (const one of around) router.use(one);
  if (languages !== undefined) router.use(negotiateLanguage(languages));
  const scripts = serveScripts(stores.scripts, forms, rest.base);
  router.use(provideStores(stores as Stores<unknown>, forms, scripts));
  if (log !== false) router.use(logRequests({ write: writeRequest, ...log }));
  if (headers !== false) router.use(secureHeaders(withScripts(headers, scripts)));
  if (errors !== false) {
    const { layout, ...caught } = errors ?? {};
    router.use(catchErrors({ page: createFailurePage(layout), ...caught }));
    router.use(answerUnavailable);
  }
  if (host !== false) router.use(refuseForeignHost({ publicOrigin, except, ...host }));
  const served = withFiles(files, scripts);
  if (served !== undefined) router.use(serveFiles(served));
  // Before the session: if the store fails, the page must not offer to send again what another site has sent.
  if (crossOrigin !== false) router.use(noteOrigin({ publicOrigin, ...crossOrigin }));
  if (session !== false) router.use(loadSession({ except, ...session, store: stores.sessions }));
  // After the session, so that the page of the refusal is that of the user who is logged in.
  if (crossOrigin !== false) router.use(refuseCrossOrigin({ publicOrigin, ...crossOrigin }));
  if (session !== false) router.use(claimDraft as never);
  router.use(leadToForm(router));
  // Which parts there are is known at run time only; the type follows the options.
  return router as unknown as Router<ContextWith<Transaction, User, O>, never>;
}

function checkParts(
  stores: { readonly sessions?: unknown; readonly receipts?: unknown },
  options: object,
): void {
  if (stores?.sessions === undefined || stores.receipts === undefined) {
    throw new TypeError(
      `Cannot make a site ${stores === undefined ? 'without stores' : `with ${describeValue(stores)} for its stores`}. Pass createStores(database) of seeother/database, or createMemoryStores() in a test.`,
    );
  }
  checkOptions('createSite', options, SITE_KINDS);
}

/** In the spelling of browsers, which is compared with what they send. */
function toOrigin(text: string | null | undefined): string | null {
  if (text === undefined || text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
    return url.origin;
  throw new TypeError(
    `Cannot use ${JSON.stringify(text)} as the public origin of a site: write the scheme and the host alone, for example https://guests.example.`,
  );
}
