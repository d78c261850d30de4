/**
 * Where a provider tells that a session there has ended (OpenID Connect Back-Channel Logout 1.0, section 2.5). A token
 * that is sent again, because the answer was lost, ends nothing that began since.
 */
import { type JsonAnswer, json } from '../http/json.ts';
import { withHeader } from '../http/response.ts';
import { acceptCrossOrigin } from '../middleware/accept-cross-origin.ts';
import type { Router } from '../router/router.ts';
import type { AccountParts, PageContext } from './account-parts.ts';
import { pathOf } from './provider-buttons.ts';
import { readForm } from './provider-pages.ts';
import type { ProviderParts } from './provider-parts.ts';

export function addProviderLogOut(
  router: Router<PageContext, never>,
  parts: AccountParts,
  { sessions }: ProviderParts,
): void {
  for (const provider of parts.options.providers) {
    const path = `${pathOf(provider)}/ended` as const;
    router.register('POST', path, [acceptCrossOrigin], async ({ request }) => {
      const form = await readForm(request);
      const logOut = await provider.readLogOut(form.get('logout_token') ?? '');
      if (logOut.kind !== 'log out') return answer({ error: 'invalid_request' }, 400);
      const ended = await parts.write(async (transaction) => {
        const accounts = (await sessions.end(transaction, logOut)) ?? [];
        for (const id of accounts) {
          const account = await parts.store.find({ id }, transaction);
          await parts.events.add(transaction, {
            account,
            kind: 'session ended',
            detail: provider.id,
            request,
          });
        }
        return accounts.length;
      });
      return answer({ ended }, 200);
    });
  }
}

function answer<Status extends 200 | 400>(
  content: Readonly<Record<string, string | number>>,
  status: Status,
): JsonAnswer<Status> {
  return withHeader(json(content, status), 'Cache-Control', 'no-store');
}
