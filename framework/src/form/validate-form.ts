/**
 * Validates a submitted form: each field, then the whole form by its schema, if it has one. It
 * gives at most one message per field, and no message that repeats a password.
 *
 * An error of a hidden field or a button becomes one of the whole form, because the summary cannot
 * link to it.
 */
import type { Fields, Form, FormError, Validation } from './define-form.ts';
import { isTyped, problem } from './field.ts';
import { refusalOf } from './schema-field.ts';
import { askSchema, firstStep, isTelling, type SchemaIssue } from './standard-schema.ts';
import type { Entry } from './urlencoded.ts';

/** The submitted fields by name, declared or not. */
export type SentFields = ReadonlyMap<string, readonly Entry[]>;

const FLAWS = {
  encoding: 'has characters that could not be read; type it again',
  nul: 'must not contain a NUL character',
  repeated: 'was sent twice; send it once',
} as const;

/** The message for a hidden field or a button. The page that shows the form again has a valid value in it. */
const UNSEEN_FLAW = 'This form could not be read. Send it again';

const FORM_REFUSED = 'Change something in the form and send it again';

export async function validateForm<F extends Fields, V>(
  definition: Form<F, V>,
  sent: SentFields,
): Promise<Validation<F, V>> {
  const errors: FormError<F>[] = [];
  const values = new Map<string, unknown>();
  for (const name of definition.names) {
    const parsing = parseField(definition.fields[name] as Fields[string], sent.get(name) ?? []);
    const parsed = parsing instanceof Promise ? await parsing : parsing;
    if (parsed.ok) values.set(name, parsed.value);
    else errors.push({ field: shownField(definition, name), message: parsed.message });
  }
  if (errors.length > 0) return { valid: false, errors: inOrder(definition, errors) };
  return validateWhole(definition, sent, Object.fromEntries(values));
}

function parseField(field: Fields[string], sent: readonly Entry[]) {
  const [first] = sent;
  const flaw = sent.length > 1 ? 'repeated' : (first?.flaw ?? null);
  if (flaw !== null) {
    return problem(isTyped(field) ? `${field.label} ${FLAWS[flaw]}` : UNSEEN_FLAW);
  }
  return field.parse(first?.text ?? '', first?.file);
}

async function validateWhole<F extends Fields, V>(
  definition: Form<F, V>,
  sent: SentFields,
  values: unknown,
): Promise<Validation<F, V>> {
  const { schema, names, fields } = definition;
  if (schema === null) return { valid: true, values: values as V };
  const asked = askSchema(schema, values);
  const result = asked instanceof Promise ? await asked : asked;
  if (result.issues === undefined) return { valid: true, values: result.value };
  const secrets = names
    .filter((name) => fields[name]?.control === 'password')
    .map((name) => sent.get(name)?.[0]?.text ?? '');
  const errors = result.issues.map((issue) => toError(definition, issue, secrets));
  const some = errors.length > 0 ? errors : [{ field: null, message: FORM_REFUSED }];
  return { valid: false, errors: inOrder(definition, some) };
}

function toError<F extends Fields>(
  definition: Form<F, unknown>,
  issue: SchemaIssue,
  secrets: readonly string[],
): FormError<F> {
  const step = firstStep(issue);
  const name = definition.names.find((one) => one === step);
  const field = name === undefined ? null : shownField(definition, name);
  const { message } = issue;
  if (!secrets.some((secret) => isTelling(message, secret))) return { field, message };
  return { field, message: field === null ? FORM_REFUSED : refusalOf(labelOf(definition, field)) };
}

function labelOf<F extends Fields>(definition: Form<F, unknown>, name: keyof F & string): string {
  return (definition.fields[name] as Fields[string]).label;
}

function shownField<F extends Fields>(
  definition: Form<F, unknown>,
  name: keyof F & string,
): FormError<F>['field'] {
  const field = definition.fields[name];
  return field === undefined || isTyped(field) ? name : null;
}

/** The first error of each field, in the order of the fields; then those of the whole form. */
function inOrder<F extends Fields>(
  { names }: Form<F, unknown>,
  errors: readonly FormError<F>[],
): readonly FormError<F>[] {
  const ofFields = names.flatMap((name) => errors.find(({ field }) => field === name) ?? []);
  const ofForm = new Map(
    errors.filter(({ field }) => field === null).map((error) => [error.message, error]),
  );
  return [...ofFields, ...ofForm.values()];
}
