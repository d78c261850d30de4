/** Reads a form in a test as a route does. */
import type { Context } from '../chain/context.ts';
import type { Fields, Form } from '../form/define-form.ts';
import { type FormContext, readForm } from '../form/read-form.ts';
import { empty } from '../http/response.ts';
import type { Language } from '../language/language.ts';
import { chooseLanguage } from '../middleware/choose-language.ts';
import { createRouter } from '../router/router.ts';
import { post, type RequestInit, type TypedFields } from './make-request.ts';

export interface SendOptions extends RequestInit {
  readonly language?: Language;
  readonly limit?: number;
  readonly query?: string;
}

/** The context of the handler after `readForm`. */
export async function runReadForm<F extends Fields, V>(
  form: Form<F, V>,
  body: TypedFields | string | Uint8Array,
  { language, limit, query = '', ...init }: SendOptions = {},
): Promise<Context & FormContext<F, V>> {
  const { promise, resolve } = Promise.withResolvers<Context & FormContext<F, V>>();
  const router = createRouter()
    .use(chooseLanguage(() => language ?? null))
    .post('/', readForm(form, limit === undefined ? {} : { limit }), (context) => {
      resolve(context);
      return empty();
    });
  await router.handle(post(`/${query}`, body, init));
  return promise;
}
