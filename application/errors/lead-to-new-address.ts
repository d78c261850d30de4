/**
 * Leads from addresses of earlier releases to those of today: links that were sent by hand work until they expire, a
 * week after the upgrade at most.
 */
import { isSafe, type Middleware, seeOther } from 'seeother';
import { href } from '../links.ts';

export const leadToNewAddress: Middleware = function leadToNewAddress(context, next) {
  const { request } = context;
  if (!MOVED.test(request.path) || !isSafe(request)) return next(context);
  const { path, query } = request;
  const token = query.get('invitation') ?? query.get('link') ?? undefined;
  if (path === '/reset-password') return seeOther(href('/password/new', {}, { token }));
  if (path === '/account/name') return seeOther(href('/account/profile'));
  if (path === '/account/sessions/end') return seeOther(href('/account/devices'));
  return query.has('invitation') ? seeOther(href('/register', {}, { token })) : next(context);
};

const MOVED = /^\/(?:register|reset-password|account\/(?:name|sessions\/end))$/;
