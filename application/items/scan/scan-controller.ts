/**
 * Scans one thing after the other. A scan that means one thing is carried out once, and leads back to the page with a
 * message and its Undo; one that means none or several leads to the page with the code in its address, which asks.
 */
import type { Middleware } from 'seeother';
import { withHeader } from 'seeother';
import { andThen } from 'seeother/middleware';
import { itemHref, placeHref, scanHref, undoBatchAction } from '../../links.ts';
import { formHandlers } from '../../site/contexts.ts';
import { toViewer } from '../../site/layout.ts';
import type { Suggest } from '../facets/suggestions.ts';
import type { Borrowers } from '../lend/borrowers.ts';
import { readText } from '../read-item-query.ts';
import { type FindByCode, findByCode, findPlaceByCode } from './find-by-code.ts';
import { carryOutScan, lacksTarget, readScanning } from './scan-modes.ts';
import { scanForm, scanPage } from './scan-page.ts';

export interface ScanOptions {
  readonly findByCode: FindByCode;
  readonly suggest: Suggest;
  readonly borrowers: Borrowers;
}

export function createScanController({ findByCode: find, suggest, borrowers }: ScanOptions) {
  const scan = formHandlers(scanForm, {
    name: 'scan',
    async show({ form, isSent, ...context }) {
      const { query } = context.request;
      const code = isSent ? '' : readText(query, 'code');
      return scanPage({
        ...{ viewer: toViewer(context), scanning: readScanning(query), form },
        sought: code === '' ? null : { code, found: await find(code) },
        suggestions: await suggest(),
        names: await borrowers.suggest(),
      });
    },
    async send({ transaction, session, values: { code, counted }, request }) {
      const scanning = readScanning(request.query);
      const { mode, to } = scanning;
      const place = await findPlaceByCode(transaction, code);
      if (place !== null && mode !== 'move') return placeHref(place.id);
      if (place !== null) {
        const path = scanHref({ ...scanning, place: place.path });
        return { path, message: `Things go to ${place.path} now: scan them.` };
      }
      if (lacksTarget(scanning)) return scanHref(scanning);
      const [one, ...others] = await findByCode(transaction, code);
      if (one === undefined || others.length > 0) return scanHref(scanning, code);
      const { number } = one;
      if (mode === 'open') return itemHref(number);
      const spelled = { ...scanning, mode, to: await borrowers.spell(to) };
      const author = session.user.id;
      const { batch, message } = await carryOutScan(transaction, spelled, {
        number,
        counted,
        author,
      });
      const path = scanHref(scanning);
      if (batch === null) return { path, message };
      return { path, message, action: { label: 'Undo', path: undoBatchAction(batch, scanning) } };
    },
  });
  return { scan, allowCamera };
}

/** Every other page may not use one. */
const allowCamera: Middleware = function allowCamera(context, next) {
  return andThen(next(context), (response) =>
    withHeader(
      response,
      'Permissions-Policy',
      'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
    ),
  );
};
