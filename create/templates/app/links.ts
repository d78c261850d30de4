/** Every route of the site. A link to any other does not compile. */
import { createLinks } from 'seeother';

export const ROUTES = [
  'GET /',
  'GET /items/new',
  'POST /items/new',
  'GET /items/:number(\\d{1,9})',
  'GET /items/:number(\\d{1,9})/edit',
  'POST /items/:number(\\d{1,9})/edit',
  'GET /items/:number(\\d{1,9})/delete',
  'POST /items/:number(\\d{1,9})/delete',
  'GET /register',
  'POST /register',
  'GET /login',
  'POST /login',
  'POST /logout',
  'GET /healthz',
] as const;

export const { href, action } = createLinks<(typeof ROUTES)[number]>();
