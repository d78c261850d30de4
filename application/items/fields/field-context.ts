/** What the handlers of one field, and of one kind of things, find in the context. */
import { createFormHandlers, HttpError } from 'seeother';
import type { Definitions, ItemKind, OwnField } from '../../own-fields/definitions.ts';
import type { UserContext } from '../../site/contexts.ts';

interface IdParams {
  readonly params: { readonly id: number };
}

export const idFormHandlers = createFormHandlers<UserContext & IdParams>();

/** Also one that was removed: its page brings it back. */
export function requireField({ allFields }: Definitions, { params }: IdParams): OwnField {
  const field = allFields.get(params.id);
  if (field === undefined) throw new HttpError(404, 'There is no such field.');
  return field;
}

export function requireKind({ allKinds }: Definitions, { params }: IdParams): ItemKind {
  const kind = allKinds.get(params.id);
  if (kind === undefined) throw new HttpError(404, 'There is no such kind of things.');
  return kind;
}
