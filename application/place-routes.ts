/** The routes of places: those who may read the items read them, and members change them. */
import type { compressPages, Router } from 'seeother';
import type { createRequireRole } from './accounts/require-role.ts';
import type { createHandlers } from './handlers.ts';
import type { createLimits } from './limits.ts';
import type { PageContext } from './site/contexts.ts';

type Limits = Pick<ReturnType<typeof createLimits>, 'limitNames' | 'limitSearches' | 'limitUndos'>;

export function addPlaceRoutes(
  places: Router<PageContext, never, '/places'>,
  { requireMember }: Pick<ReturnType<typeof createRequireRole>, 'requireMember'>,
  handlers: ReturnType<typeof createHandlers>,
  limits: Limits & { readonly compress: ReturnType<typeof compressPages> },
) {
  const { compress, limitNames, limitSearches, limitUndos } = limits;
  return places
    .get('', limitNames, compress, handlers.showPlaces)
    .get('/at', limitSearches, handlers.leadToLocation)
    .group('', requireMember, (members) =>
      members
        .get('/new', handlers.addPlaces.show)
        .post('', ...handlers.addPlaces.post)
        .get('/:id<int>/edit', handlers.editPlace.show)
        .post('/:id<int>/edit', ...handlers.editPlace.post)
        .get('/:id<int>/picture', handlers.picturePlace.show)
        .post('/:id<int>/picture', ...handlers.picturePlace.post)
        .post('/:id<int>/move', limitUndos, ...handlers.movePlaceRest.post)
        .post('/:id<int>/remove', ...handlers.removePlace.post),
    )
    .get('/:id<int>', limitSearches, compress, handlers.showPlace)
    .get('/:id<int>/picture/:hash', handlers.servePicture);
}
