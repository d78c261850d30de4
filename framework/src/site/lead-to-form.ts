/**
 * An address that only takes a form is opened, too: by a reload after an error, from the history, or as a bookmark. It
 * leads to the page with the form, which `readForm` names. An address without such a page stays unknown.
 */
import type { Context, Middleware } from '../chain/context.ts';
import { describeMiddleware } from '../chain/describe-middleware.ts';
import { toPageAddress } from '../form/form-address.ts';
import { formOf } from '../form/form-of.ts';
import { localPath } from '../http/href.ts';
import { isSafe } from '../http/request.ts';
import { seeOther } from '../http/response.ts';
import { readTarget } from '../http/target.ts';
import type { Router } from '../router/router.ts';

/** It stands in the global chain of the router. */
export function leadToForm(router: Pick<Router<Context>, 'find'>): Middleware {
  return describeMiddleware(
    function leadToForm(context, next) {
      const { request, route } = context;
      if (route !== null || !isSafe(request) || request.malformed !== null) return next(context);
      const sent = router.find('POST', request.path);
      const form = sent === null ? null : formOf(sent.route);
      if (sent === null || form === null || form.page === null) return next(context);
      const page = toPageAddress(form, request.target, sent.params);
      const hasPage = router.find('GET', readTarget(page, undefined).path) !== null;
      return hasPage ? seeOther(localPath(page)) : next(context);
    },
    { needs: [], adds: [] },
  );
}
