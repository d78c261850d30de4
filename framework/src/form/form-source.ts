/**
 * A form, or a function of the context that makes the form of each request, such as one whose choices are rows of the
 * database.
 *
 * Until the function was called, the form is unknown: a guard may refuse the request before, or the database is away.
 * So such a form has no password: what was sent can be given back, and carried through the log-in, by its names alone.
 */
import type { Context } from '../chain/context.ts';
import { type Awaitable, andThen } from '../http/awaitable.ts';
import { describeValue } from '../http/check-options.ts';
import type { Fields, Form, SomeForm } from './define-form.ts';
import { readShown } from './run-time-fields.ts';
import { toLines } from './sent.ts';
import { isFieldPath } from './sent-fields.ts';

/** What the function gets besides the context. */
export interface TypedContext {
  /**
   * The texts of the form so far, by the paths of its fields: what was sent, or what a draft, a link or `fill` puts
   * into a new page. Empty for a new form. They are not checked.
   */
  readonly typed: URLSearchParams;
  /**
   * The labels of the fields of `withFields` that the page has shown which was sent, by their names. Null for a new
   * page, and for one without such fields.
   */
  readonly shownFields: ReadonlyMap<string, string> | null;
}

/** What `formPage`, `formHandlers` and `readForm` take. */
export type FormSource<C, F extends Fields, V> =
  | Form<F, V>
  | ((context: C & TypedContext) => Awaitable<Form<F, V>>);

/** The texts by the paths of the fields, without those of the framework. */
export function toTyped(
  texts: readonly { readonly name: string; readonly text: string }[],
): URLSearchParams {
  const declared = texts.filter(({ name }) => isFieldPath(name));
  return new URLSearchParams(declared.map(({ name, text }) => [name, toLines(text)]));
}

/** The form of a request. */
export function makeForm<C extends Context, F extends Fields, V>(
  source: FormSource<C, F, V>,
  context: C,
  texts: readonly { readonly name: string; readonly text: string }[] = [],
): Awaitable<Form<F, V>> {
  if (typeof source !== 'function') return source;
  let made: URLSearchParams | null = null;
  // A function seldom needs them.
  const whole = {
    ...context,
    get typed() {
      made ??= toTyped(texts);
      return made;
    },
    get shownFields() {
      return readShown(texts);
    },
  };
  return source(whole);
}

/** The same, with a check of the form: now, or of each that the function makes. */
export function checkSource<C, F extends Fields, V>(
  source: FormSource<C, F, V>,
  { owner, base }: { readonly owner: string; readonly base: SomeForm | undefined },
  check: (form: Form<F, V>) => void,
): FormSource<C, F, V> {
  const checked = (form: Form<F, V>) => {
    // `readForm` refuses what is no form.
    if (Array.isArray(form?.names)) check(form);
    return form;
  };
  if (typeof source !== 'function') return checked(source);
  // A function may return the same form again, such as one for each version of its fields.
  const known = new WeakSet<object>();
  return (context) =>
    andThen(source(context), (form) => {
      if (known.has(form)) return form;
      checkMade(form, owner, base);
      known.add(form);
      return checked(form);
    });
}

function checkMade(form: SomeForm, owner: string, base: SomeForm | undefined): void {
  if (!Array.isArray(form?.names)) {
    throw new TypeError(
      `Cannot make the form of ${owner}: its function returned ${describeValue(form)}. Return what defineForm returned.`,
    );
  }
  if (form.hasSecret) {
    throw new TypeError(
      `Cannot make the form of ${owner} in a function: it has a password, and when it is refused before, nobody knows which of its texts is secret. Pass the form itself.`,
    );
  }
  if (form.receive !== null && base === undefined) {
    throw new TypeError(
      `Cannot make the form of ${owner} in a function without base: it has a file, which would be lost when it is refused before. Pass a form with the same files as base.`,
    );
  }
}
