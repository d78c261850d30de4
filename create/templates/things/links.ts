/** The addresses of «things». A link to any other does not compile. */
import { createLinks } from 'seeother';

export const THING_ROUTES = [
  'GET /things',
  'GET /things/new',
  'POST /things/new',
  'GET /things/:id<int>',
  'GET /things/:id<int>/edit',
  'POST /things/:id<int>/edit',
  'POST /things/:id<int>/delete',
  'POST /things/:id<int>/restore',
  // files: 'GET /things/:id<int>/files/:name',
] as const;

export const { href, action } = createLinks<(typeof THING_ROUTES)[number]>();
