/** The routes of kinds and fields that a team defines, for those with an account. */
import type { Router } from 'seeother';
import type { createRequireRole } from './accounts/require-role.ts';
import type { createHandlers } from './handlers.ts';
import type { createLimits } from './limits.ts';
import type { UserContext } from './site/contexts.ts';

type Handlers = ReturnType<typeof createHandlers>;

export function addFieldRoutes(
  fields: Router<UserContext, never, '/fields'>,
  { requireMember, requireAdministrator }: ReturnType<typeof createRequireRole>,
  handlers: Handlers,
  { limitUndos }: Pick<ReturnType<typeof createLimits>, 'limitUndos'>,
) {
  return fields
    .get('', handlers.showFields)
    .get('/changes', handlers.showFieldChanges)
    .get('/set', requireMember, handlers.setField.show)
    .post('/set', requireMember, ...handlers.setField.post)
    .group('', requireAdministrator, (administrators) =>
      administrators
        .get('/new', handlers.addField.show)
        .post('/new', ...handlers.addField.post)
        .get('/order', handlers.orderFields.show)
        .post('/order', ...handlers.orderFields.post)
        .post('/changes/:id<int>/undo', limitUndos, ...handlers.undoFields.post)
        .get('/kinds/new', handlers.addKind.show)
        .post('/kinds/new', ...handlers.addKind.post)
        .get('/kinds/:id<int>', handlers.changeKind.show)
        .post('/kinds/:id<int>', ...handlers.changeKind.post)
        .post('/kinds/:id<int>/remove', ...handlers.removeKind.post)
        .get('/kinds/:id<int>/merge', handlers.mergeKind.show)
        .post('/kinds/:id<int>/merge', limitUndos, ...handlers.mergeKind.post)
        .get('/:id<int>', handlers.changeField.show)
        .post('/:id<int>', ...handlers.changeField.post)
        .post('/:id<int>/remove', ...handlers.removeField.post)
        .get('/:id<int>/merge', handlers.mergeField.show)
        .post('/:id<int>/merge', limitUndos, ...handlers.mergeField.post)
        .get('/:id<int>/choices', handlers.mergeChoices.show)
        .post('/:id<int>/choices', limitUndos, ...handlers.mergeChoices.post),
    );
}
