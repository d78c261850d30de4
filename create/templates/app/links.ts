/** The routes that links lead to. A link to any other does not compile. */
import { createLinks } from 'seeother';

export const ROUTES = [
  'GET /',
  'GET /items/new',
  'POST /items/new',
  'GET /items/:number<int>',
  'GET /items/:number<int>/edit',
  'POST /items/:number<int>/edit',
  'GET /items/:number<int>/delete',
  'POST /items/:number<int>/delete',
  'GET /login',
  'POST /logout',
  'GET /account',
  'GET /people',
  'GET /healthz',
] as const;

export const { href, action } = createLinks<(typeof ROUTES)[number]>();
